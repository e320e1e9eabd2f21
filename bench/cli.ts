/**
 * The command line against bare Node in one run, as ratios: start-up, lint of a large JSONL file, doctor over many
 * sessions, a second run from the cache.
 * Runs that are compared take turns, so that another program on the machine slows both. Both sides read the same bytes.
 * `SUTURE_BENCH_MB`: size of the JSONL file (500). `SUTURE_BENCH_SESSIONS`: number of sessions of 1 MB (200).
 */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, utimesSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEGABYTES = Number(process.env['SUTURE_BENCH_MB'] ?? 500)
const SESSIONS = Number(process.env['SUTURE_BENCH_SESSIONS'] ?? 200)
const main = join(import.meta.dirname, '../cli/main.js')
const index = join(import.meta.dirname, '../src/index.js')
const folder = mkdtempSync(join(tmpdir(), 'suture-bench-'))

interface Row {
  readonly what: string
  readonly ms: number
  readonly base: number
  /** Absent: shown to judge the rows above. */
  readonly bar?: number
}

/** Reads in chunks and parses every line, and nothing else. */
const BARE = `
const fs = require('fs')
for (const path of process.argv.slice(1)) {
  const fd = fs.openSync(path), chunk = Buffer.alloc(4 << 20)
  let rest = Buffer.alloc(0)
  for (let n; (n = fs.readSync(fd, chunk)) > 0; ) {
    const all = rest.length ? Buffer.concat([rest, chunk.subarray(0, n)]) : chunk.subarray(0, n)
    let from = 0
    for (let at; (at = all.indexOf(10, from)) >= 0; from = at + 1) JSON.parse(all.toString('utf8', from, at))
    rest = Buffer.from(all.subarray(from))
  }
  fs.closeSync(fd)
}`

/** The same loop with the library's own `lint` of each conversation: a lower limit for the command line. */
const LINT = `
const { lint } = await import(process.argv[1])
const fs = await import('node:fs')
let spent = 0
const fd = fs.openSync(process.argv[2]), chunk = Buffer.alloc(4 << 20)
let rest = Buffer.alloc(0)
for (let n; (n = fs.readSync(fd, chunk)) > 0; ) {
  const all = rest.length ? Buffer.concat([rest, chunk.subarray(0, n)]) : chunk.subarray(0, n)
  let from = 0
  for (let at; (at = all.indexOf(10, from)) >= 0; from = at + 1) {
    const { messages, model } = JSON.parse(all.toString('utf8', from, at))
    const began = performance.now()
    lint(messages, { provider: 'openai', dialect: 'openai-chat', model })
    spent += performance.now() - began
  }
  rest = Buffer.from(all.subarray(from))
}
process.stdout.write(String(spent))`

try {
  const [data, sessions] = [dataSet(), sessionFiles()]
  print([...startUp(), ...lintRows(data), ...doctorRows(sessions)])
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function startUp(): Row[] {
  const [node, version] = inTurns(9, [
    ['-e', '0'],
    [main, '--version'],
  ])
  return [{ what: 'suture --version / node -e 0', ms: version!, base: node!, bar: 2 }]
}

function lintRows(path: string): Row[] {
  const lint = (threads: string) => [main, 'lint', path, '--concurrency', threads]
  const [bare, one, two] = inTurns(3, [['-e', BARE, path], lint('1'), lint('2')]) as [number, number, number]
  const core = Number(started(['--input-type=module', '-e', LINT, index, path]))
  return [
    { what: `lint ${MEGABYTES} MB, one thread / bare parse`, ms: one, base: bare, bar: 1.5 },
    { what: `lint ${MEGABYTES} MB, two threads / bare parse`, ms: two, base: bare, bar: 1 },
    { what: '  the core alone, of the first / bare parse', ms: core, base: bare },
    { what: '  the first without the core / bare parse', ms: one - core, base: bare },
  ]
}

function doctorRows(paths: readonly string[]): Row[] {
  const forget = () => rmSync(join(folder, 'cache'), { recursive: true, force: true })
  const one = [main, 'doctor', '--no-cache', '--concurrency', '1']
  const [node, bare, first, alone] = inTurns(
    3,
    [['-e', '0'], ['-e', BARE, ...paths], [main, 'doctor'], one],
    forget,
  ) as [number, number, number, number]
  const [second] = inTurns(9, [[main, 'doctor']]) as [number]
  return [
    { what: `doctor, ${SESSIONS} sessions / bare parse`, ms: first, base: bare, bar: 2 },
    { what: '  with one thread', ms: alone, base: bare },
    { what: 'doctor again, unchanged / first run', ms: second, base: first, bar: 0.05 },
    { what: '  both without the start of node', ms: second - node, base: first - node, bar: 0.05 },
  ]
}

/** Wall time of the fastest of some runs of each command, in milliseconds. The commands take turns. */
function inTurns(rounds: number, commands: readonly (readonly string[])[], before?: () => void): readonly number[] {
  const least = commands.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < rounds; round++)
    commands.forEach((args, i) => {
      before?.()
      const began = performance.now()
      started(args)
      least[i] = Math.min(least[i]!, performance.now() - began)
    })
  return least
}

/** What it prints. A run that fails ends the benchmark. */
function started(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, HOME: folder, NO_COLOR: '1', SUTURE_CACHE_DIR: join(folder, 'cache') },
  })
  if (status === 0) return String(stdout)
  throw new Error(`${args.slice(0, 3).join(' ').slice(0, 200)} ended with ${status}: ${String(stderr).slice(0, 500)}`)
}

function dataSet(): string {
  const path = join(folder, 'data.jsonl')
  const file = openSync(path, 'w')
  for (let size = 0, i = 0; size < MEGABYTES * 1e6; i++) {
    const line = `${JSON.stringify({ model: 'gpt-4o', messages: conversation(i, 12) })}\n`
    size += writeSync(file, line)
  }
  closeSync(file)
  return path
}

function conversation(seed: number, rounds: number): object[] {
  const messages: object[] = [{ role: 'system', content: 'You are a careful assistant.' }]
  for (let i = 0; i < rounds; i++) {
    const id = `call_${seed}_${i}`
    messages.push(
      { role: 'user', content: `Question ${i} of conversation ${seed}: ${'which files changed and why? '.repeat(4)}` },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'search', arguments: `{"query":"${i}"}` } }],
      },
      { role: 'tool', tool_call_id: id, content: `Result ${i}: ${'a line of output, '.repeat(40)}` },
      { role: 'assistant', content: `Answer ${i}: ${'the change is in the parser. '.repeat(8)}` },
    )
  }
  messages.push({ role: 'user', content: 'Go on.' })
  return messages
}

/** Claude Code sessions of about 1 MB, all valid, an hour old. */
function sessionFiles(): string[] {
  const root = join(folder, '.claude/projects/-bench')
  mkdirSync(root, { recursive: true })
  const then = new Date(Date.now() - 3_600_000)
  return Array.from({ length: SESSIONS }, (_, i) => {
    const id = `${i.toString(16).padStart(8, '0')}-1111-4111-8111-111111111111`
    const path = join(root, `${id}.jsonl`)
    writeFileSync(path, sessionText(id))
    utimesSync(path, then, then)
    return path
  })
}

function sessionText(sessionId: string): string {
  const lines: string[] = []
  const uuid = (i: number) => `${sessionId.slice(0, 8)}-0000-4000-8000-${String(i).padStart(12, '0')}`
  const add = (type: string, content: unknown) => {
    const i = lines.length
    const shared = {
      uuid: uuid(i),
      parentUuid: i === 0 ? null : uuid(i - 1),
      sessionId,
      isSidechain: false,
      version: '2.1.114',
      cwd: '/p',
    }
    const message = type === 'assistant' ? { id: `msg_${i}`, role: type, content } : { role: type, content }
    lines.push(JSON.stringify({ type, ...shared, timestamp: '2026-11-01T00:00:00.000Z', message }))
  }
  for (let i = 0; i < 400; i++) {
    const id = `toolu_01${sessionId.slice(0, 8)}${i}`
    add('user', `Prompt ${i}`)
    add('assistant', [{ type: 'tool_use', id, name: 'Bash', input: { command: `ls ${i}` } }])
    add('user', [{ type: 'tool_result', tool_use_id: id, content: 'output line\n'.repeat(110) }])
    add('assistant', [{ type: 'text', text: 'Done.' }])
  }
  add('user', 'Go on.')
  return `${lines.join('\n')}\n`
}

function print(rows: readonly Row[]): void {
  for (const { what, ms, base, bar } of rows) {
    const ratio = ms / base
    const verdict = bar === undefined ? '' : `bar ${String(bar).padEnd(5)} ${ratio <= bar ? 'ok' : 'above the bar'}  `
    console.log(
      `${what.padEnd(46)}${ratio.toFixed(3).padStart(8)}  ${verdict}(${ms.toFixed(0)} / ${base.toFixed(0)} ms)`,
    )
  }
}
