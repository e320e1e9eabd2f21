/**
 * Speed of lint and repair as ratios to JSON.parse of the same bytes, in one run; each provider in a process of its own.
 * Usage: npm run bench -- [--mb 20] [--only openai]
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { lint, repair } from '../src/index.ts'
import { broken, longHistory, type Subject, subjects } from './histories.ts'

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

if (values.part) console.log(parts[values.part]!(subjects.find(({ provider }) => provider === values.only)!))
else main()

function main(): void {
  const chosen = subjects.filter(({ provider }) => !values.only || provider === values.only)
  console.log(`Histories of about ${values.mb} MB, best of 9: ratios to JSON.parse of the same text`)
  console.log('provider          messages  parse ns/msg    lint  (args)   repair')
  for (const { provider } of chosen) console.log(child(provider, 'speed'))
  console.log('\n1,000,000 messages against 100,000, a fault in every tenth round (bar: 12)')
  for (const { provider } of chosen) console.log(child(provider, 'growth'))
  console.log('\nmemory needed beyond the parsed history, against its size (bar: 0.5)')
  for (const subject of chosen) console.log(memory(subject))
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
  const history = longHistory(subject, Number(values.mb) * 1e6)
  const options = optionsOf(subject)
  const text = JSON.stringify(history)
  const damaged = broken(history, subject.dialect)
  const damagedText = JSON.stringify(damaged)
  const parse = best(() => JSON.parse(text))
  const linted = best(() => lint(history, options), 25)
  const parseDamaged = best(() => JSON.parse(damagedText))
  const repaired = best(() => repair(damaged, options))
  // DashScope wants every argument parsed.
  const args =
    subject.dialect === 'openai-chat'
      ? (best(() => lint(history, { ...options, provider: 'dashscope' }), 15) / parse).toFixed(3)
      : '-'
  return [
    subject.provider.padEnd(17),
    String(history.length).padStart(8),
    ((parse * 1e6) / history.length).toFixed(0).padStart(13),
    (linted / parse).toFixed(3).padStart(7),
    args.padStart(7),
    (repaired / parseDamaged).toFixed(3).padStart(8),
  ].join(' ')
}

function growth(subject: Subject): string {
  const base = longHistory(subject, 2e6)
  const options = optionsOf(subject)
  const sized = (count: number) =>
    broken(
      Array.from({ length: count }, (_, i) => base[i % base.length]),
      subject.dialect,
    )
  const [small, large] = [sized(100_000), sized(1_000_000)]
  const linted = best(() => lint(large, options), 3) / best(() => lint(small, options), 5)
  const repaired = best(() => repair(large, options), 2) / best(() => repair(small, options), 4)
  return `${subject.provider.padEnd(17)} lint ${linted.toFixed(1)}, repair ${repaired.toFixed(1)}`
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

function best(work: () => unknown, times = 9): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < times; i++) {
    globalThis.gc?.()
    const start = performance.now()
    work()
    least = Math.min(least, performance.now() - start)
  }
  return least
}
