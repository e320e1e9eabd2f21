/**
 * The command line where no optional package is installed: in a folder of its own, with nothing above it.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nodeIsNewEnough } from '../../src/stores/drivers.ts'
import { skippable } from '../skip-reasons.ts'

const folder = mkdtempSync(join(tmpdir(), 'suture-missing-'))
const file = join(folder, 'dist/src/cli/main.mjs')
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeAll(async () => {
  const entry = join(import.meta.dirname, '../../src/cli/main.ts')
  await build({
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
})

function run(...args: string[]) {
  const { PATH = '', HOME = '' } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    cwd: folder,
    env: { PATH, HOME },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

it.each<[string[], RegExp]>([
  [['--help'], /suture serve/],
  [['doctor', '--help'], /suture doctor/],
  [['--version'], /^\d+\.\d+\.\d+$/m],
  [['serve', '--help'], /--upstream/],
  [['key', 'me'], /--key me=sha256:/],
])('suture %j needs no package', (args, words) => {
  expect(run(...args)).toEqual({ status: 0, stdout: expect.stringMatching(words), stderr: '' })
})

it('suture serve names the package that it lacks, and how to install it', () => {
  const { status, stderr } = run('serve', '--store', 'none', '--upstream', 'a=http://127.0.0.1:1')
  expect([status, stderr]).toEqual([2, expect.stringMatching(/undici.*Run: npm install undici/)])
  expect(stderr).not.toMatch(/^ {4}at /m)
})

it.skipIf(nodeIsNewEnough())(
  skippable('so does a store', nodeIsNewEnough() && 'this Node has an SQLite of its own'),
  () => {
    const { status, stderr } = run('serve', '--offline', '--store', 'sqlite:./x.db')
    expect([status, stderr]).toEqual([2, expect.stringMatching(/better-sqlite3.*npm install better-sqlite3/)])
  },
)

it('and PostgreSQL', () => {
  const { status, stderr } = run('serve', '--offline', '--store', 'postgres://127.0.0.1:1/x')
  expect([status, stderr]).toEqual([2, expect.stringMatching(/npm install pg/)])
})
