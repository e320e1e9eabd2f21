/**
 * The errors of `openStore` if a driver is missing or could not be built: in a folder without packages, in a process of
 * its own.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nodeIsNewEnough } from '../src/stores/drivers.ts'
import { skippable } from './skip-reasons.ts'

const folder = mkdtempSync(join(tmpdir(), 'suture-drivers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const source = `
  import { openStore } from ${JSON.stringify(join(import.meta.dirname, '../src/session.ts'))}
  const said = await openStore(process.argv[2], JSON.parse(process.argv[3] ?? '{}')).then((store) => ({ opened: store.name }), ({ code, message }) => ({ code, message }))
  console.log(JSON.stringify(said))
  process.exit(0)
`

beforeAll(async () => {
  const stdin = { contents: source, loader: 'ts' as const, resolveDir: folder }
  await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile: join(folder, 'open.mjs') })
})

function opening(...args: string[]): { opened?: string; code?: string; message?: string } {
  const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', join(folder, 'open.mjs'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', NODE_PATH: '' },
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

it(`SQLite without better-sqlite3: ${nodeIsNewEnough() ? 'the one of Node is used' : 'the error says how to get it'}`, () => {
  const outcome = opening('sqlite:./chats.db')
  if (nodeIsNewEnough()) return expect(outcome).toEqual({ opened: 'sqlite' })
  expect(outcome).toMatchObject({
    code: 'store-missing',
    message: expect.stringContaining('npm install better-sqlite3'),
  })
})

it.skipIf(nodeIsNewEnough())(
  skippable(
    'better-sqlite3 that could not be built: the error says why, and what to do',
    nodeIsNewEnough() && 'this Node has an SQLite of its own',
  ),
  () => {
    const at = join(folder, 'node_modules/better-sqlite3')
    mkdirSync(at, { recursive: true })
    writeFileSync(join(at, 'package.json'), '{"name":"better-sqlite3","main":"index.js"}')
    writeFileSync(
      join(at, 'index.js'),
      'module.exports = class { constructor() { throw new Error("Could not locate the bindings file.") } }',
    )
    const outcome = opening('sqlite:./chats.db')
    rmSync(at, { recursive: true })
    expect(outcome).toMatchObject({
      code: 'store-missing',
      message: expect.stringContaining('npm rebuild better-sqlite3'),
    })
    expect(outcome.message).toContain('Could not locate the bindings file')
  },
)

it('PostgreSQL without pg: the error has the install command', () => {
  const outcome = opening('postgres://localhost:1/none')
  expect(outcome).toMatchObject({ code: 'store-missing', message: expect.stringContaining('npm install pg') })
})
