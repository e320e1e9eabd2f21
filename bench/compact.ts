/**
 * Speed of planning against JSON.parse of the same history, cold and warm, and the token estimate against a tokenizer.
 * Usage: npm run bench:compact -- [--messages 100000]
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { type CompactOptions, plan } from '../src/compact.ts'
import { estimateTokens } from '../src/strategies/estimate.ts'
import { named } from '../src/target.ts'
import { timed } from './clock.ts'
import { longHistory } from './histories.ts'
import { mainSubjects, type Subject } from './subjects.ts'

/** Subjects with a model, which are those with a wire format. */
const subjects = mainSubjects.filter(({ model }) => model !== undefined)

const { values } = parseArgs({ options: { messages: { type: 'string', default: '100000' } } })
const wanted = Number(values.messages)

console.log(`Planning for ${wanted} messages, ratios to JSON.parse of them in CPU time (bar 1), best and median of 7`)
console.log('provider          MB  parse ms         cold          warm   fits (warm)')
for (const subject of subjects) console.log(speed(subject))
console.log('\nToken estimate against o200k (gpt-tokenizer): bars 10 % and 20 times as fast')
for (const line of accuracy()) console.log(line)

function speed(subject: Subject): string {
  const history = sized(subject)
  const text = JSON.stringify(history)
  const { provider, dialect, model } = subject
  const options = named<CompactOptions>({ provider, dialect, model })
  const fitting = { ...options, budget: { limit: 1e12 }, strategies: { ladder: ['summary'] as const } }
  const times: Record<string, number[]> = { parse: [], cold: [], warm: [], fits: [] }
  // The first plan caches the counts of these messages; then one more prompt each time, as in a conversation.
  plan(history, options)
  let longer: readonly unknown[] = history
  // Interleaved, so that a busy moment of the machine affects all of them.
  for (let i = 0; i < 7; i++) {
    let fresh: object = []
    times['parse']!.push(used(() => (fresh = JSON.parse(text))))
    // A fresh parse: nothing is cached about its messages.
    times['cold']!.push(used(() => plan(fresh, options)))
    longer = [...longer, JSON.parse(JSON.stringify(history[0]))]
    times['warm']!.push(used(() => plan(longer, options)))
    times['fits']!.push(used(() => plan(longer, fitting)))
  }
  const parse = times['parse']!.toSorted((a, b) => a - b)
  const ratio = (name: string) => {
    const sorted = times[name]!.toSorted((a, b) => a - b)
    return [0, 3].map((i) => (sorted[i]! / parse[i]!).toFixed(2).padStart(6)).join(' ')
  }
  return `${subject.provider.padEnd(16)} ${(text.length / 1e6).toFixed(0).padStart(3)} ${parse[0]!.toFixed(0).padStart(9)} ${ratio('cold')} ${ratio('warm')} ${ratio('fits')}`
}

/** Milliseconds of processor time: other work on the machine does not count. */
function used(work: () => unknown): number {
  return timed(work).cpu
}

/** This many messages, each a new object. Ids repeat after some thousand messages, which is too far to matter. */
function sized(subject: Subject): unknown[] {
  const text = JSON.stringify(longHistory(subject, 4e6))
  const history: unknown[] = []
  while (history.length < wanted) for (const message of JSON.parse(text) as unknown[]) history.push(message)
  return history.slice(0, wanted)
}

function* accuracy(): Generator<string> {
  for (const [name, texts] of Object.entries(samples())) {
    const estimated = texts.reduce((sum, text) => sum + estimateTokens(text), 0)
    const real = texts.reduce((sum, text) => sum + count(text), 0)
    const off = texts.map((text) => Math.abs(estimateTokens(text) / count(text) - 1))
    const mean = off.reduce((sum, one) => sum + one, 0) / off.length
    const faster = timesFaster(texts)
    yield `${name.padEnd(22)} ${((estimated / real - 1) * 100).toFixed(1).padStart(5)} % in all, ${(mean * 100).toFixed(1)} % a text of ${texts.length}, ${faster.toFixed(0)} times as fast`
  }
}

function count(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set() })
}

/** Pages of about 8 kB from what is at hand: this project, its dependencies, made histories. */
function samples(): Record<string, string[]> {
  const found: Record<string, string[]> = {
    prose: pages(filesIn('docs', /\.md$/)),
    code: pages([...filesIn('src', /\.ts$/), ...filesIn('node_modules/pg/lib', /\.js$/)]),
    JSON: pages([
      ...filesIn('node_modules/@ai-sdk', /package\.json$/),
      ...filesIn('node_modules/zod', /package\.json$/),
    ]),
  }
  for (const language of ['zh-cn', 'zh-tw', 'ja', 'ko', 'de', 'ru']) {
    const file = `node_modules/typescript/lib/${language}/diagnosticMessages.generated.json`
    found[language] = pages([Object.values(JSON.parse(readFileSync(file, 'utf8'))).join('\n')])
  }
  for (const subject of subjects)
    found[`history ${subject.provider}`] = pages([leaves(longHistory(subject, 5e5)).join('\n')])
  return found
}

function pages(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.match(/[\s\S]{1000,8000}/g) ?? []).slice(0, 40)
}

function filesIn(folder: string, name: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file))
    .slice(0, 60)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
}

function leaves(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return /^(?:text|content|output|arguments|thinking)$/.test(key) ? [value] : []
  if (Array.isArray(value)) return value.flatMap((one) => leaves(one, key))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => leaves(one, name))
}

/** Both by the same clock, one after the other: a busy moment must not meet only one of them. */
function timesFaster(texts: readonly string[]): number {
  const real: number[] = []
  const ours: number[] = []
  for (let i = 0; i < 5; i++) {
    // By the wall clock: an estimate takes less than a processor's clock can tell on some systems.
    real.push(timed(() => texts.forEach(count)).wall)
    ours.push(timed(() => texts.forEach(estimateTokens)).wall)
  }
  return Math.min(...real) / Math.min(...ours)
}
