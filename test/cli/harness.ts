/**
 * The command line as one file built from the sources, run in processes of its own, in a home folder of its own,
 * without a network.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Cli {
  readonly home: string
  readonly file: string
  run(args: readonly string[], options?: RunOptions): Promise<Ran>
  start(args: readonly string[], options?: RunOptions): ChildProcess
  /** Writes a file below the home folder, two hours old. */
  put(path: string, content: string | Uint8Array): string
  close(): void
}

export interface RunOptions {
  readonly input?: string | undefined
  readonly env?: Record<string, string>
  readonly cwd?: string
}

let count = 0

export async function cli(): Promise<Cli> {
  // Three folders deep, as in the package: the manifest is found relative to the entry.
  const root = join(import.meta.dirname, `../../dist/test-cli-${process.pid}-${++count}`)
  const file = join(root, 'cli', 'main.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, '../../src/cli/main.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  const home = mkdtempSync(join(tmpdir(), 'suture-cli-'))
  const preload = join(root, 'no-network.cjs')
  writeFileSync(preload, NO_NETWORK)
  const start = (args: readonly string[], { env = {}, cwd = home }: RunOptions = {}) =>
    spawn(process.execPath, ['--require', preload, file, ...args], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: home, NO_COLOR: '1', ...env },
    })
  return {
    home,
    file,
    start,
    run: (args, options = {}) => ended(start(args, options), options.input),
    put(path, content) {
      const full = join(home, path)
      mkdirSync(dirname(full), { recursive: true })
      writeFileSync(full, content)
      age(full)
      return full
    },
    close() {
      rmSync(root, { recursive: true, force: true })
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Old enough not to count as live. */
export function age(path: string, hours = 2): void {
  const then = new Date(Date.now() - hours * 3_600_000)
  utimesSync(path, then, then)
}

export function ended(child: ChildProcess, input?: string): Promise<Ran> {
  let [out, err] = ['', '']
  child.stdout?.on('data', (piece) => (out += piece))
  child.stderr?.on('data', (piece) => (err += piece))
  child.stdin?.on('error', () => {})
  child.stdin?.end(input ?? '')
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })))
}

/** Whether the system says how much a process has read. */
export const hasProc = process.platform === 'linux'

/** Waits until the command has read more than its own code, or has ended. Needs /proc. */
export async function untilReading(child: ChildProcess, bytes: number): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    const [, read] = /rchar: (\d+)/.exec(readFileSync(`/proc/${child.pid}/io`, 'utf8')) ?? []
    if (Number(read) > bytes) return
  }
}

/** Any attempt to connect ends the process with a code that no command has. */
const NO_NETWORK = `
const net = require('node:net'), dns = require('node:dns'), dgram = require('node:dgram')
const stop = () => { process.stderr.write('NETWORK'); process.exit(77) }
net.Socket.prototype.connect = stop
net.connect = net.createConnection = stop
dns.lookup = dns.resolve = stop
dgram.createSocket = stop
globalThis.fetch = stop
`

interface Entry {
  readonly type: string
  readonly role?: string
  readonly content: unknown
}

/** A Claude Code session: one line each, chained by parentUuid. */
export function claudeLines(sessionId: string, entries: readonly Entry[]): string[] {
  return entries.map(({ type, content }, i) =>
    JSON.stringify({
      type,
      uuid: uuid(sessionId, i),
      parentUuid: i === 0 ? null : uuid(sessionId, i - 1),
      sessionId,
      isSidechain: false,
      timestamp: new Date(1_790_000_000_000 + i * 1000).toISOString(),
      cwd: '/home/user/project',
      version: '2.1.114',
      message:
        type === 'assistant' ? { id: `msg_${i}`, type: 'message', role: type, content } : { role: type, content },
    }),
  )
}

function uuid(sessionId: string, i: number): string {
  return `${sessionId.slice(0, 8)}-0000-4000-8000-${String(i).padStart(12, '0')}`
}

/** A session that is valid: prompt, call, result, answer, and a prompt that waits for its answer. */
export function validSession(sessionId: string, turns = 1): string {
  const entries = Array.from({ length: turns }, (_, i) => [
    { type: 'user', content: `Please list the files, secret word xyzzy ${i}` },
    {
      type: 'assistant',
      content: [
        { type: 'tool_use', id: `toolu_01${sessionId.slice(0, 6)}${i}`, name: 'Bash', input: { command: 'ls' } },
      ],
    },
    {
      type: 'user',
      content: [{ type: 'tool_result', tool_use_id: `toolu_01${sessionId.slice(0, 6)}${i}`, content: 'a b c' }],
    },
    { type: 'assistant', content: [{ type: 'text', text: 'There are three files.' }] },
  ]).flat()
  return `${claudeLines(sessionId, [...entries, { type: 'user', content: 'Thank you, go on.' }]).join('\n')}\n`
}

/** The same with half a record in the middle, as a crash leaves it. */
export function tornSession(sessionId: string): string {
  const lines = validSession(sessionId).trimEnd().split('\n')
  return `${[...lines.slice(0, 4), lines[4]!.slice(0, 60), ...lines.slice(4)].join('\n')}\n`
}

const body = { model: 'claude-opus-4-5', max_tokens: 100 }

/** A request with a call that has no result, and one without fault. */
export const openCall = {
  ...body,
  messages: [
    { role: 'user', content: 'What is the weather in Oslo? The secret word is xyzzy.' },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'toolu_01OPENCALL', name: 'weather', input: { city: 'Oslo' } }],
    },
    { role: 'user', content: 'Are you still there?' },
  ],
}

export const fine = {
  ...body,
  messages: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: [{ type: 'text', text: 'Hi.' }] },
    { role: 'user', content: 'Bye' },
  ],
}
