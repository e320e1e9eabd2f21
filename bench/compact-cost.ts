/**
 * What a long conversation costs under four ways of keeping it short, at Anthropic's prices. Deterministic: no clock, no network.
 * Usage: npm run bench:cost (prints the table of docs/guide/compaction.md)
 */
import { compact } from '../src/compact.ts'
import { anthropicMessages } from '../src/dialects/anthropic-messages.ts'
import { clearResults } from '../src/strategies/results.ts'
import { counter, estimateTokens } from '../src/strategies/tokens.ts'

const TURNS = 500
const ROUNDS = 4
const AROUND = 8_000
const WINDOW = 200_000
const PRICES = { read: 0.1, write: 1.25, output: 5 }
/** Dollars for a million tokens of plain input. */
const DOLLARS = 3
const SUMMARY = 4_000

const WORDS =
  'the file has a line that reads value from table and returns the result of call with index when there is none'.split(
    ' ',
  )
const count = counter(anthropicMessages)

type History = readonly unknown[]
interface Way {
  readonly name: string
  /** The history that is sent next, and what it cost to get there. */
  next(history: History): { readonly history: History; readonly cost: number }
}

const ways: readonly Way[] = [
  { name: 'no compaction', next: (history) => ({ history, cost: 0 }) },
  { name: 'summarise everything at 80 %', next: summariseAll },
  { name: 'clear on every turn', next: clearAlways },
  { name: 'suture, default policy', next: ours },
]

console.log(
  `${TURNS} turns of ${ROUNDS} rounds, a result of 200 to 6,000 tokens in each; window ${WINDOW}; prices of Anthropic`,
)
console.log(
  '| way | input cost, million tokens of plain input | dollars | requests over the window | changes of the prefix |',
)
console.log('|---|---|---|---|---|')
for (const way of ways) console.log(simulate(way))

function simulate(way: Way): string {
  let history: History = []
  let sent: History = []
  let cost = 0
  let over = 0
  let changes = 0
  const random = generator(7)
  for (let turn = 0; turn < TURNS; turn++) {
    history = [...history, { role: 'user', content: `Task ${turn}: ${words(random, 60)}` }]
    for (let round = 0; round <= ROUNDS; round++) {
      const next = way.next(history)
      if (next.history !== history) changes++
      history = next.history
      const price = request(sent, history)
      cost += price.cost + next.cost
      if (price.tokens > WINDOW) over++
      sent = history
      history = [...history, ...answer(turn, round, random)]
    }
  }
  const dollars = ((cost / 1e6) * DOLLARS).toFixed(0)
  return `| ${way.name} | ${(cost / 1e6).toFixed(1)} | ${dollars} | ${over} | ${changes} |`
}

/** What is the same as in the last request is read from the cache, the rest is written. */
function request(before: History, now: History): { cost: number; tokens: number } {
  let same = 0
  while (same < before.length && same < now.length && before[same] === now[same]) same++
  const cached = before.length === 0 ? 0 : AROUND + size(now.slice(0, same))
  const tokens = AROUND + size(now)
  return { cost: PRICES.read * cached + PRICES.write * (tokens - cached), tokens }
}

function size(history: History): number {
  return history.reduce<number>((sum, message) => sum + count(message).tokens, 0)
}

function answer(turn: number, round: number, random: () => number): unknown[] {
  if (round === ROUNDS) return [{ role: 'assistant', content: `Done with ${turn}. ${words(random, 50)}` }]
  const id = `toolu_${turn}_${round}`
  const input = { path: `src/part-${Math.floor(random() * 200)}.ts`, lines: [1, Math.floor(random() * 400)] }
  const length = 150 + Math.floor(random() ** 2 * 4_300)
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: words(random, 20) },
        { type: 'tool_use', id, name: 'read_file', input },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: words(random, length) }] },
  ]
}

function ours(history: History): { history: History; cost: number } {
  const done = compact(history, {
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    budget: { window: WINDOW - AROUND },
  })
  return { history: done.history, cost: 0 }
}

/** The whole history read from the warm cache, a summary written, and everything else gone but the last prompt. */
function summariseAll(history: History): { history: History; cost: number } {
  const total = AROUND + size(history)
  const last = history.at(-1) as { role: string; content: unknown }
  if (total < 0.8 * (WINDOW - 16_000) || typeof last.content !== 'string') return { history, cost: 0 }
  const summary = { role: 'user', content: 'word '.repeat(SUMMARY - 4) }
  const ready = { role: 'assistant', content: 'I have read the summary.' }
  return { history: [summary, ready, last], cost: PRICES.read * total + PRICES.output * SUMMARY }
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

function words(random: () => number, length: number): string {
  return Array.from({ length }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ')
}

/** Numbers from 0 to 1, the same ones each time (mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
