/**
 * Everything a plan needs to know about one history: the transcript, token sums, budget, strategies and prices.
 * Read once for each plan; the token counts of known messages are reused.
 */
import { type Dialect, isObject, readMessage, SutureError, Transcript } from '../core/index.ts'
import { checkValue } from '../core/options.ts'
import { type Budget, budgetOf, type Measure, measure } from './budget.ts'
import { leadingSystemMessages } from './choose-cut.ts'
import { textOf } from './digest.ts'
import { type Estimate, estimateTokens } from './estimate.ts'
import type { Pin, PlanTarget } from './plan-types.ts'
import { isCold, PRICES, type Prices } from './prices.ts'
import { type ProviderItem, providerItem } from './provider-compaction.ts'
import { type StrategySettings, strategiesOf } from './strategy-options.ts'
import { counterFor, type TokenCounter, valueTokens } from './token-counts.ts'

export interface PlanningInput {
  readonly list: readonly unknown[]
  /** The request body that holds the list, if one was given. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly target: PlanTarget
  readonly transcript: Transcript
  readonly counter: TokenCounter
  readonly estimate: Estimate
  /** `sums[i]`: tokens of the messages before index i. The same for results and for reasoning alone. */
  readonly sums: Float64Array
  readonly results: Float64Array
  readonly reasoning: Float64Array
  readonly measure: Measure
  readonly budget: Budget
  readonly strategies: StrategySettings
  readonly prices: Prices
  /** The provider's cache has expired. */
  readonly cold: boolean
  /** System messages at the beginning: they always stay. */
  readonly lead: number
  /** From this index on every message stays as it is (`minKeep`). */
  readonly stays: number
  readonly pins: readonly string[]
  /** The provider ignores messages before this index: a compaction item of its own replaces them. */
  readonly seenFrom: number
  readonly providerText: string | undefined
}

export function prepare(input: unknown, target: PlanTarget): PlanningInput {
  const dialect = target.service.dialect
  const list = listOf(input, dialect.key)
  const body = Array.isArray(input) ? undefined : (input as Readonly<Record<string, unknown>>)
  const model = target.model ?? (typeof body?.['model'] === 'string' ? body['model'] : undefined)
  const estimate = target.estimate ?? estimateTokens
  const transcript = new Transcript(list, dialect)
  const counter = counterFor(dialect, estimate)
  const item = target.native ? providerItem(transcript) : undefined
  const sums = sumsOf(transcript, counter, item)
  const budget = budgetOf(model, target.budget)
  const prices = { ...PRICES, ...target.prices }
  const overhead = (target.around ?? 0) + (body ? tokensAround(body, estimate) : 0)
  const { total, around, ...measured } = measure(sums.sums, overhead, target.usage, transcript.lastAssistant() + 1)
  const coming = target.coming ?? 0
  return {
    list,
    body,
    target: { ...target, model },
    transcript,
    counter,
    estimate,
    ...sums,
    measure: { ...measured, total: total + coming, around: around + coming },
    budget,
    strategies: strategiesOf(target.strategies, budget),
    prices,
    cold: isCold(target.now, target.lastRequestAt, prices),
    lead: leadingSystemMessages(transcript),
    stays: list.length - minKeepOf(target.minKeep, list.length),
    pins: pinsOf(target.pins ?? [], dialect),
    seenFrom: item?.at ?? 0,
    providerText: item?.text,
  }
}

function minKeepOf(minKeep: number | undefined, length: number): number {
  if (minKeep === undefined) return 0
  if (typeof minKeep !== 'number' || !(minKeep >= 0))
    throw new SutureError(
      'bad-option',
      `Option "minKeep" must be a number of messages from 0, but got ${String(minKeep)}.`,
      { minKeep },
    )
  return Math.min(Math.ceil(minKeep), length)
}

function listOf(input: unknown, key: string): readonly unknown[] {
  if (Array.isArray(input)) return input
  if (isObject(input) && Array.isArray(input[key])) return input[key]
  if (isObject(input) && typeof input[key] === 'string') return []
  throw new SutureError(
    'not-a-history',
    `Expected a list of messages or a request body with a list under "${key}". Pass the array itself, or name its dialect.`,
  )
}

/** Messages before a provider's compaction item are not sent to the model, so they count as 0. */
function sumsOf(transcript: Transcript, counter: TokenCounter, item: ProviderItem | undefined) {
  const { history } = transcript
  const zeros = () => new Float64Array(history.length + 1)
  const [sums, results, reasoning] = [zeros(), zeros(), zeros()]
  for (let i = item?.at ?? 0; i < history.length; i++) {
    const tokens = counter.count(history[i], () => transcript.partsOf(i))
    sums[i + 1] = sums[i]! + tokens.total
    results[i + 1] = results[i]! + tokens.results
    reasoning[i + 1] = reasoning[i]! + tokens.reasoning
  }
  return { sums, results, reasoning }
}

const AROUND = ['system', 'systemInstruction', 'system_instruction', 'instructions', 'tools', 'toolConfig'] as const
const known = new WeakMap<object, number>()

/** Tokens of a request body outside its history: instructions and tool declarations. */
export function tokensAround(body: Readonly<Record<string, unknown>>, estimate: Estimate = estimateTokens): number {
  checkValue('The body of a request', body, 'object')
  checkValue('The estimate', estimate, 'function')
  let sum = 0
  for (const key of AROUND) {
    const value = body[key]
    if (value === undefined || value === null) continue
    const kept = typeof value === 'object' && estimate === estimateTokens ? value : undefined
    const size = (kept && known.get(kept)) ?? valueTokens(value, estimate)
    if (kept) known.set(kept, size)
    sum += size
  }
  return sum
}

function pinsOf(pins: readonly Pin[], dialect: Dialect): readonly string[] {
  const texts = pins.map((pin) => (typeof pin === 'string' ? pin : textOf(readMessage(pin.message, dialect).parts)))
  return [...new Set(texts.filter((text) => text !== ''))]
}
