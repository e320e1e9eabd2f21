/**
 * What long conversations cost under several ways of keeping them short, at Anthropic's prices: workloads, windows and
 * seeds. Deterministic: no clock, no network.
 * Usage: npm run bench:cost -- [--turns 500] [--seeds 7,11,23] [--workload pause] (prints the table of
 * docs/guide/compaction.md)
 */
import { parseArgs } from 'node:util'
import { type CompactOptions, compact } from '../src/compact.ts'
import { anthropicMessages } from '../src/dialects/anthropic-messages/index.ts'
import { estimateTokens } from '../src/strategies/estimate.ts'
import { clearResults } from '../src/strategies/shorten-results.ts'
import { counterFor, type MessageTokens } from '../src/strategies/token-counts.ts'
import { Random } from '../src/testing/corruptions/random.ts'

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '500' },
    seeds: { type: 'string', default: '7,11,23' },
    workload: { type: 'string', default: '' },
    /** Another strategies than the default, as JSON: to see what it would cost. */
    strategies: { type: 'string', default: '{}' },
    budget: { type: 'string', default: '{}' },
  },
})
const AROUND = 8_000
const PRICES = { read: 0.1, write: 1.25, output: 5 }
const SUMMARY = 4_000
const WORDS =
  'the file has a line that reads value from table and returns the result of call with index when there is none'.split(
    ' ',
  )
const counter = counterFor(anthropicMessages, estimateTokens)

interface Workload {
  readonly name: string
  /** Calls in each turn, words of a result at least and at most, words of an answer. */
  readonly rounds: number
  readonly result: readonly [number, number]
  readonly answer: number
  /** After this many turns the user pauses for longer than the cache lives; 0: never. */
  readonly pause: number
}

const workloads: readonly Workload[] = [
  { name: 'reading files', rounds: 4, result: [150, 4_450], answer: 50, pause: 0 },
  { name: 'reading files, a pause every 5 turns', rounds: 4, result: [150, 4_450], answer: 50, pause: 5 },
  { name: 'small results', rounds: 8, result: [30, 400], answer: 80, pause: 0 },
  { name: 'huge results', rounds: 2, result: [1_500, 14_000], answer: 100, pause: 0 },
  { name: 'talk without tools', rounds: 0, result: [0, 0], answer: 700, pause: 0 },
]
const windows = [128_000, 200_000, 400_000]

type History = readonly unknown[]
interface Way {
  readonly name: string
  /** The history that is sent next, and what it cost to get there. */
  next(history: History, window: number, cold: boolean): { readonly history: History; readonly cost: number }
}

const ways: readonly Way[] = [
  { name: 'no compaction', next: (history) => ({ history, cost: 0 }) },
  { name: 'summarize all at 80 %', next: summarizeAll },
  { name: 'clear on every turn', next: clearAlways },
  { name: 'suture', next: ours },
]

console.log(
  `${values.turns} turns, mean of seeds ${values.seeds}; million tokens of plain input (requests over the window)`,
)
console.log(`| workload | window | ${ways.map(({ name }) => name).join(' | ')} | suture to the best other that fits |`)
console.log(`|---|---|${'---|'.repeat(ways.length + 1)}`)
for (const workload of workloads)
  if (workload.name.includes(String(values.workload))) for (const window of windows) console.log(row(workload, window))

function row(workload: Workload, window: number): string {
  const seeds = String(values.seeds).split(',').map(Number)
  const found = ways.map((way) => {
    const runs = seeds.map((seed) => simulate(way, workload, window, seed))
    const mean = (of: 'cost' | 'over') => runs.reduce((sum, one) => sum + one[of], 0) / runs.length
    return { cost: mean('cost'), over: mean('over') }
  })
  const cells = found.map(({ cost, over }) => (cost / 1e6).toFixed(2) + (over > 0 ? ` (${over.toFixed(0)})` : ''))
  const best = Math.min(...found.slice(0, -1).map(({ cost, over }) => (over > 0 ? Number.POSITIVE_INFINITY : cost)))
  return `| ${workload.name} | ${window / 1000}k | ${cells.join(' | ')} | ${(found.at(-1)!.cost / best).toFixed(2)} |`
}

function simulate(way: Way, workload: Workload, window: number, seed: number): { cost: number; over: number } {
  let history: History = []
  let sent: Sent = { history: [], sums: [0] }
  let cost = 0
  let over = 0
  const random = new Random(seed)
  for (let turn = 0; turn < Number(values.turns); turn++) {
    history = [...history, { role: 'user', content: `Task ${turn}: ${words(random, 60)}` }]
    const paused = workload.pause > 0 && turn % workload.pause === 0
    for (let round = 0; round <= workload.rounds; round++) {
      const cold = paused && round === 0
      const next = way.next(history, window, cold)
      history = next.history
      const price = request(sent, history, cold || sent.history.length === 0)
      cost += price.cost + next.cost
      if (price.tokens > window) over++
      sent = price.sent
      history = [...history, ...answer(workload, turn, round, random)]
    }
  }
  return { cost, over }
}

/** A history that was sent, and the tokens before each of its messages. */
interface Sent {
  readonly history: History
  readonly sums: readonly number[]
}

/** What is the same as in the last request is read from the cache, the rest is written. */
function request(before: Sent, now: History, cold: boolean): { cost: number; tokens: number; sent: Sent } {
  let same = 0
  while (same < before.history.length && same < now.length && before.history[same] === now[same]) same++
  const sums = before.sums.slice(0, same + 1)
  for (let i = same; i < now.length; i++) sums.push(sums[i]! + count(now[i]).total)
  const tokens = AROUND + sums[now.length]!
  const cached = cold ? 0 : AROUND + sums[same]!
  return { cost: PRICES.read * cached + PRICES.write * (tokens - cached), tokens, sent: { history: now, sums } }
}

function count(message: unknown): MessageTokens {
  return counter.count(message)
}

function size(history: History): number {
  return history.reduce<number>((sum, message) => sum + count(message).total, 0)
}

function answer({ rounds, result, answer: length }: Workload, turn: number, round: number, random: Random): unknown[] {
  if (round === rounds) return [{ role: 'assistant', content: `Done with ${turn}. ${words(random, length)}` }]
  const id = `toolu_${turn}_${round}`
  const input = { path: `src/part-${random.below(200)}.ts`, lines: [1, random.below(400)] }
  const text = words(random, result[0] + Math.floor(random.next() ** 2 * (result[1] - result[0])))
  const call = { type: 'tool_use', id, name: 'read_file', input }
  return [
    { role: 'assistant', content: [{ type: 'text', text: words(random, 20) }, call] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
  ]
}

function ours(history: History, window: number, cold: boolean): { history: History; cost: number } {
  const options: CompactOptions = {
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    budget: { window: window - AROUND, ...JSON.parse(String(values.budget)) },
    strategies: JSON.parse(String(values.strategies)),
    lastRequestAt: 0,
    now: cold ? 600_000 : 1,
  }
  return { history: compact(history, options).history, cost: 0 }
}

/** Reads the whole history, from the cache if it is warm, and replaces all but the last prompt by a summary. */
function summarizeAll(history: History, window: number, cold: boolean): { history: History; cost: number } {
  const total = AROUND + size(history)
  const last = history.at(-1) as { role: string; content: unknown }
  if (total < 0.8 * (window - 16_000) || typeof last.content !== 'string') return { history, cost: 0 }
  const summary = { role: 'user', content: 'word '.repeat(SUMMARY - 4) }
  const ready = { role: 'assistant', content: 'I have read the summary.' }
  return { history: [summary, ready, last], cost: (cold ? 1 : PRICES.read) * total + PRICES.output * SUMMARY }
}

/** All results but the last three are cleared at the beginning of every turn. */
function clearAlways(history: History): { history: History; cost: number } {
  const last = history.at(-1) as { content: unknown }
  if (typeof last.content !== 'string') return { history, cost: 0 }
  let before = history.length
  for (let kept = 0; before > 0 && kept < 3; before--) if (count(history[before - 1]).results > 0) kept++
  const choice = { before, exempt: [], pins: [], estimate: estimateTokens, batch: 1 }
  return { history: clearResults(history, anthropicMessages, choice).history, cost: 0 }
}

function words(random: Random, length: number): string {
  return Array.from({ length }, () => random.pick(WORDS)).join(' ')
}
