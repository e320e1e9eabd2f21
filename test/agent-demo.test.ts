/**
 * The demonstration is part of `suture serve --demo` and runs to its end: real processes, a real socket, SQLite on disk, and one of
 * the processes is killed while a tool runs. The gateway serves on.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const folder = await mkdtemp(join(tmpdir(), 'agent-demo-'))
const children: ChildProcess[] = []
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

/** Everything it said up to this. */
function outputUntil(child: ChildProcess, until: RegExp): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      said += String(chunk)
      if (until.test(said)) resolve(said)
    })
    child.once('exit', () => reject(new Error(`It ended:\n${said}`)))
  })
}

it('shows all that can happen to an agent, in order, and then the gateway serves', async () => {
  const outfile = join(folder, 'cli.mjs')
  const entryPoints = [join(ROOT, 'src/cli/main.ts')]
  const packages = 'external'
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', packages, logLevel: 'error' })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const flags = ['serve', '--demo', '--offline', '--port', '0', '--log', 'off', '--store', 'memory:']
  const child = spawn(process.execPath, [outfile, ...flags], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const said = await outputUntil(child, /The gateway serves at http:\S+ until it is stopped/)
  const wanted = [
    'straight to the provider: 400',
    'through the gateway: 200',
    '(arguments)',
    '[incomplete: cut]',
    '[recovered: ask-again]',
    '[recovered: wait]',
    '[recovered: shrink]',
    '[compacted]',
    'run_tests: 25 %\n  [aborted]',
    '[incomplete: aborted]',
    'assistant: You stopped them',
    '[killed]',
    '"name":"deploy","cause":"crashed"',
    'I would look before I try again.\n  [done]',
    'requests, 0 rejected for their history',
    'every hash fits',
  ]
  let at = 0
  for (const text of wanted) {
    const next = said.indexOf(text, at)
    expect(next, `${text}\nafter\n${said.slice(0, at)}\nin\n${said.slice(at)}`).toBeGreaterThanOrEqual(0)
    at = next
  }
  const [, url] = /serves at (http:\S+) until/.exec(said)!
  const health = await fetch(`${url}/suture/health`)
  expect(health.status).toBe(200)
})
