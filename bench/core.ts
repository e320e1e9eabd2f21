/**
 * Speed of lint and repair as ratios to JSON.parse of the same bytes; each provider in a process of its own.
 * What is measured: after warm-up runs, parse and work take turns in one process. Each run works on freshly parsed objects;
 * a ratio is that of the two sums, of the best of each, or of the medians. The heap is collected before each of them, so that nobody
 * pays for the garbage, or for the moving of the survivors, of the other: without it the first to allocate pays for all that was parsed.
 * Processor time is the main thread's own (`clock.ts`), told in steps of 4 ms, so only its sum means something; on a busy machine
 * the wall clock means little. What a process pays once for compiling is not in it.
 * Usage: npm run bench -- [--mb 20] [--only openai] [--part speed]
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { lint, repair } from '../src/index.ts'
import { median, type Took, timed } from './clock.ts'
import { broken, longHistory, repeated, type Subject, subjects } from './histories.ts'

const { values } = parseArgs({
  options: {
    mb: { type: 'string', default: '20' },
    only: { type: 'string' },
    part: { type: 'string' },
    file: { type: 'string' },
  },
})

const parts: Readonly<Record<string, (subject: Subject) => string>> = {
  speed,
  growth,
  parse: used,
  lint: used,
  repair: used,
}

if (values.part && values.only) console.log(parts[values.part]!(chosenOf()[0]!))
else main()

function chosenOf(): readonly Subject[] {
  return subjects.filter(({ provider }) => !values.only || provider === values.only)
}

function main(): void {
  const chosen = chosenOf()
  const wants = (part: string) => !values.part || values.part === part
  if (wants('speed')) {
    console.log(
      `Histories of about ${values.mb} MB: ratios to JSON.parse of the same text: processor time of all runs / wall, best / wall, median`,
    )
    console.log('provider          messages  parse ns/msg  lint                  (args)                repair')
    for (const { provider } of chosen) console.log(child(provider, 'speed'))
  }
  if (wants('growth')) {
    console.log(
      '\n1,000,000 messages against 100,000, a fault in every tenth round, best wall time of a few runs (bar: 12)',
    )
    for (const { provider } of chosen) console.log(child(provider, 'growth'))
  }
  if (wants('memory')) {
    console.log('\nmemory needed beyond the parsed history, against its size (bar: 0.5)')
    for (const subject of chosen) console.log(memory(subject))
  }
}

function child(provider: string, part: string, file = ''): string {
  const script = fileURLToPath(import.meta.url)
  const flags = [
    '--expose-gc',
    '--max-old-space-size=12000',
    script,
    '--mb',
    values.mb,
    '--only',
    provider,
    '--part',
    part,
    '--file',
    file,
  ]
  return execFileSync(process.execPath, flags, { encoding: 'utf8' }).trim()
}

function optionsOf({ provider, model, dialect }: Subject) {
  return { provider, model, dialect }
}

function speed(subject: Subject): string {
  const options = optionsOf(subject)
  const history = longHistory(subject, Number(values.mb) * 1e6)
  const messages = history.length
  const damaged = JSON.stringify(broken(history, subject.dialect))
  const sound = JSON.stringify(history)
  // A few stay alive: a process that forgets the last object of a shape forgets what it compiled for it, too.
  history.length = Math.min(history.length, 2000)
  const linted = against(sound, (fresh) => lint(fresh, options))
  // DashScope wants every argument parsed.
  const strict = { ...options, provider: 'dashscope' }
  const args = subject.dialect === 'openai-chat' ? against(sound, (fresh) => lint(fresh, strict)) : undefined
  const repaired = against(damaged, (fresh) => repair(fresh, options))
  return [
    subject.provider.padEnd(17),
    String(messages).padStart(8),
    ((linted.parse * 1e6) / messages).toFixed(0).padStart(13),
    ` ${linted.ratios}`,
    args?.ratios ?? '-'.padEnd(21),
    repaired.ratios,
    history.length > 0 ? '' : 'nothing measured',
  ].join(' ')
}

/** Parse and work take turns, each on objects that nobody has seen before; the first runs only warm up. */
function against(text: string, work: (fresh: unknown[]) => unknown): { parse: number; ratios: string } {
  const [parses, works]: [Took[], Took[]] = [[], []]
  const runs = Math.max(5, Math.min(25, Math.round(3e8 / text.length)))
  const warm = Math.max(2, Math.min(20, Math.round(1e8 / text.length)))
  for (let run = -warm; run < runs; run++) {
    globalThis.gc?.()
    const parsed = timed(() => JSON.parse(text) as unknown[])
    globalThis.gc?.()
    const worked = timed(() => work(parsed.value))
    if (run < 0) continue
    parses.push(parsed)
    works.push(worked)
  }
  const ratio = (clock: keyof Took, of: (times: number[]) => number) =>
    (of(works.map((took) => took[clock])) / of(parses.map((took) => took[clock]))).toFixed(3)
  const ratios = `${ratio('cpu', sum)} / ${ratio('wall', least)} / ${ratio('wall', median)}`
  return { parse: median(parses.map(({ cpu }) => cpu)), ratios: ratios.padEnd(21) }
}

function growth(subject: Subject): string {
  const base = longHistory(subject, 2e6)
  const own = grown(subject, (count) => repeated(base, subject.dialect, count))
  const reused = grown(subject, (count) => Array.from({ length: count }, (_, i) => base[i % base.length]))
  return `${subject.provider.padEnd(17)} ${own}; with all ids used again and again ${reused}`
}

function grown(subject: Subject, sized: (count: number) => unknown[]): string {
  const options = optionsOf(subject)
  const times = [100_000, 1_000_000].map((count) => {
    const history = broken(sized(count), subject.dialect)
    const [linted, repaired] = count > 100_000 ? [4, 3] : [10, 8]
    return { lint: best(() => lint(history, options), linted), repair: best(() => repair(history, options), repaired) }
  })
  const ratio = (of: 'lint' | 'repair') => (times[1]![of] / times[0]![of]).toFixed(1)
  return `lint ${ratio('lint')}, repair ${ratio('repair')}`
}

/** Three processes on one file: one only parses, the others lint or repair too. */
function memory(subject: Subject): string {
  const folder = mkdtempSync(join(tmpdir(), 'suture-'))
  const file = join(folder, 'history.json')
  writeFileSync(file, JSON.stringify(broken(longHistory(subject, Number(values.mb) * 1e6), subject.dialect)))
  const [parse, ...others] = ['parse', 'lint', 'repair'].map(
    (part) => JSON.parse(child(subject.provider, part, file)) as { peak: number; heap: number },
  )
  rmSync(folder, { recursive: true })
  const more = others.map(({ peak }) => ((peak - parse!.peak) / parse!.heap).toFixed(2))
  return `${subject.provider.padEnd(17)} lint ${more[0]}, repair ${more[1]}`
}

function used(subject: Subject): string {
  const text = readFileSync(values.file!, 'utf8')
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const history = JSON.parse(text)
  globalThis.gc?.()
  const heap = process.memoryUsage().heapUsed - before
  if (values.part === 'lint') lint(history, optionsOf(subject))
  if (values.part === 'repair') repair(history, optionsOf(subject))
  return JSON.stringify({ peak: process.resourceUsage().maxRSS * 1024, heap })
}

function sum(times: readonly number[]): number {
  return times.reduce((all, time) => all + time, 0)
}

function least(times: readonly number[]): number {
  return Math.min(...times)
}

/** The least time of several runs, by the wall clock: processor time is told in steps of 4 ms, too coarse for the smaller one. */
function best(work: () => unknown, times: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < times; i++) {
    globalThis.gc?.()
    least = Math.min(least, timed(work).wall)
  }
  return least
}
