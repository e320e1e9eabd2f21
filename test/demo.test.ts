/**
 * `suture serve --demo` shows a rejection and its repair on one screen, and a conversation that runs through the
 * gateway. The example of an agent runs to its end: real processes, a real socket, SQLite on disk, and one process is
 * killed while a tool runs.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const folder = await mkdtemp(join(tmpdir(), 'agent-demo-'))
const children: ChildProcess[] = []
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

/** The output up to this pattern. */
function outputUntil(child: ChildProcess, until: RegExp): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      output += String(chunk)
      if (until.test(output)) resolve(output)
    })
    child.once('close', () => (until.test(output) ? resolve(output) : reject(new Error(`It ended:\n${output}`))))
  })
}

beforeAll(async () => {
  const entryPoints = { cli: join(ROOT, 'src/cli/main.ts'), agent: join(ROOT, 'examples/agent-turns.ts') }
  const output = { outdir: folder, outExtension: { '.js': '.mjs' }, format: 'esm', logLevel: 'error' } as const
  await build({ entryPoints, ...output, bundle: true, platform: 'node', packages: 'external' })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
})

function run(file: 'cli' | 'agent', ...flags: string[]): ChildProcess {
  const command = [join(folder, `${file}.mjs`), ...flags]
  const child = spawn(process.execPath, command, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  return child
}

it('the agent survives what breaks conversations, in order', async () => {
  const output = await outputUntil(run('agent'), /every hash fits/)
  const wanted = [
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
    const next = output.indexOf(text, at)
    expect(next, `${text}\nafter\n${output.slice(0, at)}\nin\n${output.slice(at)}`).toBeGreaterThanOrEqual(0)
    at = next
  }
})

it('the first screen has the 400, the 200 and the changes, and its conversation is stored', async () => {
  const child = run('cli', 'serve', '--demo', '--port', '0')
  const screen = await outputUntil(child, /Ctrl-C\n/)
  const lines = screen.trim().split('\n')
  expect(lines.length).toBeLessThan(42)
  expect(lines.filter((line) => line.includes('HTTP 400') && line.includes('HTTP 200'))).toHaveLength(2)
  expect(screen).toContain('number of function')
  expect(screen).toContain('  - user      [result] export const a = 1')
  expect(screen).toContain('  + user      [result] No result')
  expect(screen).not.toContain('{"time"')
  expect(screen).toContain('tool-result-duplicate (twice)')
  expect(screen).not.toContain(';n=')
  expect(screen).toContain('a built-in emulator answers')
  const [, url] = /(http:\S+)\/suture\/viewer\/#\/demo/.exec(screen)!
  const listed = async () =>
    (await (await fetch(`${url}/suture/v1/sessions`)).json()) as {
      readonly sessions: readonly { readonly id: string }[]
    }
  await expect.poll(listed).toMatchObject({ sessions: [{ id: expect.stringMatching(/^demo-/) }] })
  const session = (await listed()).sessions[0]!.id
  expect(existsSync(join(folder, 'suture.db'))).toBe(false)
  await expect.poll(async () => (await fetch(`${url}/suture/v1/sessions/${session}`)).status).toBe(200)
  const stored = async () => (await fetch(`${url}/suture/v1/sessions/${session}`)).text()
  await expect.poll(stored, { timeout: 20_000 }).toContain('"{\\"city\\":\\"Oslo\\"}"')
})
