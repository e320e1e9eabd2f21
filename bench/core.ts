/**
 * Speed of lint and repair as ratios to JSON.parse of the same bytes, in one run.
 * Usage: npm run bench -- [--mb 20] [--only openai]
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { lint, repair } from '../src/index.ts'
import { broken, longHistory, type Subject, subjects } from './histories.ts'

const { values } = parseArgs({
  options: {
    mb: { type: 'string', default: '20' },
    only: { type: 'string' },
    memory: { type: 'string' },
  },
})
const bytes = Number(values.mb) * 1e6

if (values.memory) measureMemory(values.memory)
else main()

function main(): void {
  const chosen = subjects.filter(({ provider }) => !values.only || provider === values.only)
  console.log(`Histories of about ${values.mb} MB, best of 7, ratios to JSON.parse of the same text`)
  console.log('provider          messages   parse ns/msg   lint   args    repair  strictest')
  for (const subject of chosen) console.log(row(subject))
  console.log('\n1,000,000 messages against 100,000 (bar: 12)')
  for (const subject of chosen) console.log(`${subject.provider.padEnd(17)} ${growth(subject)}`)
  console.log('\nmemory over the parsed history (bar: 0.5)')
  for (const subject of chosen) console.log(`${subject.provider.padEnd(17)} ${memory(subject)}`)
}

function row(subject: Subject): string {
  const history = longHistory(subject, bytes)
  const options = { provider: subject.provider, model: subject.model, dialect: subject.dialect, sending: true }
  const text = JSON.stringify(history)
  const damaged = broken(history, subject.dialect)
  const damagedText = JSON.stringify(damaged)
  const parse = best(() => JSON.parse(text))
  const linted = best(() => lint(history, options))
  const parseDamaged = best(() => JSON.parse(damagedText))
  const repaired = best(() => repair(damaged, options))
  const strict = best(() => lint(history, { ...options, provider: 'strictest' }))
  const args =
    subject.dialect === 'openai-chat'
      ? ratio(best(() => lint(history, { ...options, provider: 'dashscope' })) / parse)
      : '-'
  return [
    subject.provider.padEnd(17),
    String(history.length).padStart(8),
    ((parse * 1e6) / history.length).toFixed(0).padStart(14),
    ratio(linted / parse).padStart(7),
    args.padStart(7),
    ratio(repaired / parseDamaged).padStart(8),
    ratio(strict / parse).padStart(9),
  ].join(' ')
}

function growth(subject: Subject): string {
  const base = longHistory(subject, 5e6)
  const options = { provider: subject.provider, model: subject.model, dialect: subject.dialect, sending: true }
  const sized = (count: number) => Array.from({ length: count }, (_, i) => base[i % base.length])
  const damaged = (count: number) => broken(sized(count), subject.dialect)
  const [small, large] = [damaged(100_000), damaged(1_000_000)]
  const lintGrowth = best(() => lint(large, options), 3) / best(() => lint(small, options), 5)
  const repairGrowth = best(() => repair(large, options), 3) / best(() => repair(small, options), 5)
  return `lint ${lintGrowth.toFixed(1)}, repair ${repairGrowth.toFixed(1)}`
}

/** Two processes, one that only parses and one that repairs too: what the second needed more, against the size of the history. */
function memory(subject: Subject): string {
  const run = (what: string) =>
    JSON.parse(
      execFileSync(
        process.execPath,
        [
          '--expose-gc',
          '--max-old-space-size=8192',
          fileURLToPath(import.meta.url),
          '--mb',
          values.mb,
          '--only',
          subject.provider,
          '--memory',
          what,
        ],
        {
          encoding: 'utf8',
        },
      ),
    ) as { peak: number; heap: number }
  const parse = run('parse')
  return ['lint', 'repair'].map((what) => `${what} ${ratio((run(what).peak - parse.peak) / parse.heap)}`).join(', ')
}

function measureMemory(what: string): void {
  const subject = subjects.find(({ provider }) => provider === values.only)!
  let history: unknown[] | undefined = longHistory(subject, bytes)
  if (what !== 'lint') history = broken(history, subject.dialect)
  const text = JSON.stringify(history)
  history = undefined
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const parsed = JSON.parse(text)
  globalThis.gc?.()
  const heap = process.memoryUsage().heapUsed - before
  const options = { provider: subject.provider, model: subject.model, dialect: subject.dialect, sending: true }
  if (what === 'lint') lint(parsed, options)
  if (what === 'repair') repair(parsed, options)
  console.log(JSON.stringify({ peak: process.resourceUsage().maxRSS * 1024, heap }))
}

function best(work: () => unknown, times = 7): number {
  let least = Infinity
  for (let i = 0; i < times; i++) {
    globalThis.gc?.()
    const start = performance.now()
    work()
    least = Math.min(least, performance.now() - start)
  }
  return least
}

function ratio(value: number): string {
  return value.toFixed(3)
}
