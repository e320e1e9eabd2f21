/**
 * Peak memory of the command line on files larger than memory should be: data sets, a session, one endless line. Prints
 * Markdown for docs/session-files.md. Writes about six times `SUTURE_MEMORY_MB` (default 2000) to the temporary folder
 * and removes it. Linux only.
 */
import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Chain } from '../src/session-files/claude-code/chain.ts'
import { classify, isEnvelope, type Link, linkOf } from '../src/session-files/claude-code/records.ts'
import { type SalvageItem, SalvageStream } from '../src/session-files/index.ts'
import type { FileRecord } from '../src/session-files/types.ts'

const MEGABYTES = Number(process.env['SUTURE_MEMORY_MB'] ?? 2000)
const main = join(import.meta.dirname, '../cli/main.js')

/** A record and its link in one object, without the value, which `leaf` and `path` do not read. */
class StreamedRecord implements FileRecord, Link {
  readonly index: number
  readonly line: number
  readonly start: number
  readonly end: number
  readonly type: string
  readonly uuid: string
  readonly parent: string | null
  readonly content: boolean
  readonly aside: boolean
  group: string
  above: Link | undefined = undefined

  constructor({ record, uuid, parent, group, content, aside }: Link, before: Link | undefined) {
    this.index = record.index
    this.line = record.line
    this.start = record.start
    this.end = record.end
    this.type = record.type
    this.uuid = uuid
    // One string for an id, not one for each place where it is written.
    this.parent = parent === before?.uuid ? before.uuid : parent
    this.group = group
    this.content = content
    this.aside = aside
  }

  get record(): FileRecord {
    return this
  }

  get value(): unknown {
    return undefined
  }

  /** Records of unknown types have no link. */
  get known(): boolean {
    return true
  }
}

if (process.argv[2] === 'chain') chainPass(process.argv[3]!)
else await measureAll()

async function measureAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'suture-memory-'))
  const path = (name: string) => join(folder, name)
  try {
    writeFile(path('set.jsonl'), example)
    writeFile(path('session.jsonl'), (i) => sessionLine(i))
    writeLine(path('line.jsonl'), '')
    writeLine(path('middle.jsonl'), example(0).repeat(40_000))
    console.log('| what | peak memory | exit code | result |\n| --- | --: | --: | --- |')
    await row('`lint`, data set, one thread', [main, 'lint', path('set.jsonl'), '--concurrency', '1'])
    await row('`lint`, data set, two threads', [main, 'lint', path('set.jsonl'), '--concurrency', '2'])
    await row('`lint`, data set with such a line in it', [main, 'lint', path('middle.jsonl')])
    await row('`lint`, a file that is one line', [main, 'lint', path('line.jsonl')])
    await row('`lint`, one session', [main, 'lint', path('session.jsonl')])
    await row('`repair`, one session', [main, 'repair', path('session.jsonl')])
    await row('salvage and chain of that session, streamed', [import.meta.filename, 'chain', path('session.jsonl')])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Salvage in chunks, the size that Node's file streams have. Of each record only what the chain needs is kept. */
function chainPass(path: string): void {
  const stream = new SalvageStream({ envelope: isEnvelope })
  const file = openSync(path, 'r')
  const links: StreamedRecord[] = []
  let count = 0
  const keep = (items: readonly SalvageItem[]) => {
    for (const item of items) {
      if (item.kind !== 'record') continue
      const { line, start, end, value } = item
      const link = linkOf({ index: count++, line, start, end, value, ...classify(value) })
      if (link) links.push(new StreamedRecord(link, links.at(-1)))
    }
  }
  const chunk = Buffer.alloc(1 << 16)
  for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk))
    keep(stream.push(Uint8Array.from(chunk.subarray(0, read))))
  keep(stream.end())
  const chain = new Chain(links)
  const leaf = chain.leaf('main')
  console.log(`${leaf ? chain.path(leaf).length : 0} of ${count} records are on the chain`)
}

async function row(what: string, args: readonly string[]): Promise<void> {
  const { peak, code, text } = await measured(args)
  console.log(`| ${what} | ${Math.round(peak / 1024)} MB | ${code} | ${text} |`)
}

function measured(args: readonly string[]): Promise<{ peak: number; code: number | null; text: string }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let [text, peak] = ['', 0]
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (text += piece))
  const timer = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid!))
  }, 20)
  return new Promise((resolve) =>
    child.once('close', (code) => {
      clearInterval(timer)
      resolve({
        peak,
        code,
        text: text
          .replaceAll(/\S+\/(?=\w+\.jsonl)/g, '')
          .trim()
          .split(/\n\s*/)
          .slice(0, 2)
          .join(' '),
      })
    }),
  )
}

function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

function writeFile(path: string, line: (i: number) => string): void {
  const file = openSync(path, 'w')
  for (let size = 0, i = 0; size < MEGABYTES * 1e6; ) {
    let text = ''
    while (text.length < 1e6) text += line(i++)
    size += writeSync(file, text)
  }
  closeSync(file)
}

/** One line of this size, after the lines that are given. */
function writeLine(path: string, before: string): void {
  const file = openSync(path, 'w')
  writeSync(file, `${before}{"messages":[{"role":"user","content":"`)
  const piece = 'x'.repeat(10e6)
  for (let size = 0; size < MEGABYTES * 1e6; size += piece.length) writeSync(file, piece)
  writeSync(file, `"}]}\n${before}`)
  closeSync(file)
}

function example(i: number): string {
  const messages = [
    { role: 'user', content: `Question ${i}: ${'which files changed and why? '.repeat(12)}` },
    { role: 'assistant', content: `Answer: ${'the change is in the parser. '.repeat(12)}` },
  ]
  return `${JSON.stringify({ messages })}\n`
}

function sessionLine(i: number): string {
  const uuid = (n: number) => `aaaaaaaa-0000-4000-8000-${String(n).padStart(12, '0')}`
  const type = i % 2 === 0 ? 'user' : 'assistant'
  const message = {
    ...(i % 2 === 1 && { id: `msg_${i}` }),
    role: type,
    content: [{ type: 'text', text: 'x'.repeat(1500) }],
  }
  const ids = { uuid: uuid(i), parentUuid: i === 0 ? null : uuid(i - 1), sessionId: 'S', isSidechain: false }
  return `${JSON.stringify({ type, ...ids, version: '2.1.114', message })}\n`
}
