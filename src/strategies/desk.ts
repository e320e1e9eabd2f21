/**
 * Lays out one history: its sums of tokens, what was reported, what may be done. One pass; costs are remembered by message.
 */
import { type Dialect, isObject, type Part, SutureError } from '../core/index.ts'
import { checkValue } from '../core/options.ts'
import { budgetOf, type Measure, measure } from './budget.ts'
import { type Counted, count } from './counted.ts'
import { leadOf } from './cut.ts'
import { textOf } from './digest.ts'
import { type Estimate, estimateTokens } from './estimate.ts'
import { type Native, nativeIn } from './native.ts'
import type { Desk, Pin, PlanTarget } from './plan-types.ts'
import { policyOf } from './policy.ts'
import { isCold, PRICES } from './prices.ts'
import { meter, NATIVE, valueTokens } from './tokens.ts'

export function layOut(input: unknown, target: PlanTarget): Desk {
  const dialect = target.service.dialect
  const list = listOf(input, dialect.key)
  const body = Array.isArray(input) ? undefined : (input as Readonly<Record<string, unknown>>)
  const model = target.model ?? (typeof body?.['model'] === 'string' ? body['model'] : undefined)
  const estimate = target.estimate ?? estimateTokens
  const counted = count(list, dialect, estimate)
  const native = target.native ? nativeAmong(list, dialect, counted.flags) : undefined
  const { sums, results, reasoning } = sumsOf(counted, native)
  const budget = budgetOf(model, target.budget)
  const prices = { ...PRICES, ...target.prices }
  const answered = target.usage ? lastAnswer(list, dialect) : 0
  return {
    input,
    list,
    body,
    target: { ...target, model },
    counted,
    read: meter(dialect, estimate),
    estimate,
    sums,
    results,
    reasoning,
    flags: counted.flags,
    measure: withPrompt(
      measure(sums, (target.around ?? 0) + (body ? tokensAround(body, estimate) : 0), target.usage, answered),
      target.coming ?? 0,
    ),
    budget,
    policy: policyOf(target.policy, budget),
    prices,
    cold: isCold(target.now, target.lastRequestAt, prices),
    lead: leadOf(list, dialect),
    stays: list.length - minKeepOf(target.minKeep, list.length),
    pins: pinsOf(target.pins ?? [], dialect),
    seenFrom: native?.at ?? 0,
    nativeText: native?.text,
  }
}

function minKeepOf(minKeep: number | undefined, length: number): number {
  if (minKeep === undefined) return 0
  if (typeof minKeep !== 'number' || !(minKeep >= 0))
    throw new SutureError('bad-option', `minKeep is a number of messages from 0 up, but got ${String(minKeep)}.`, {
      minKeep,
    })
  return Math.min(Math.ceil(minKeep), length)
}

function withPrompt({ total, around, ...rest }: Measure, coming: number): Measure {
  return { ...rest, total: total + coming, around: around + coming }
}

function listOf(input: unknown, key: string): readonly unknown[] {
  if (Array.isArray(input)) return input
  if (isObject(input) && Array.isArray(input[key])) return input[key]
  if (isObject(input) && typeof input[key] === 'string') return []
  throw new SutureError(
    'not-a-history',
    `Expected a list of messages or a request body with a list under "${key}". Pass the array itself, or say the dialect it is in.`,
  )
}

function nativeAmong(list: readonly unknown[], dialect: Dialect, flags: Uint16Array): Native | undefined {
  let last = flags.length - 1
  while (last >= 0 && (flags[last]! & NATIVE) === 0) last--
  return last < 0 ? undefined : nativeIn(list.slice(0, last + 1), dialect)
}

/** What stands before a native item is not looked at, so it counts for nothing. */
function sumsOf(counted: Counted, native: Native | undefined) {
  const from = native?.at ?? 0
  return {
    sums: running(counted.tokens, from),
    results: running(counted.results, from),
    reasoning: running(counted.reasoning, from),
  }
}

function running(sizes: Float64Array, from: number): Float64Array {
  const sums = new Float64Array(sizes.length + 1)
  for (let i = from; i < sizes.length; i++) sums[i + 1] = sums[i]! + sizes[i]!
  return sums
}

const AROUND = ['system', 'systemInstruction', 'system_instruction', 'instructions', 'tools', 'toolConfig'] as const
const known = new WeakMap<object, number>()

/** Tokens of what a request says beside its history. */
export function tokensAround(body: Readonly<Record<string, unknown>>, estimate: Estimate = estimateTokens): number {
  checkValue('The body of a request', body, 'object')
  checkValue('The estimate', estimate, 'function')
  let sum = 0
  for (const key of AROUND) {
    const value = body[key]
    if (value === undefined || value === null) continue
    const before = typeof value === 'object' && estimate === estimateTokens ? known.get(value) : undefined
    const size = before ?? valueTokens(value, estimate)
    if (typeof value === 'object' && estimate === estimateTokens) known.set(value, size)
    sum += size
  }
  return sum
}

function lastAnswer(list: readonly unknown[], dialect: Dialect): number {
  const parts: Part[] = []
  for (let i = list.length - 1; i >= 0; i--) {
    parts.length = 0
    if (dialect.read(list[i], i, parts) === 'assistant') return i + 1
  }
  return 0
}

function pinsOf(pins: readonly Pin[], dialect: Dialect): readonly string[] {
  const texts = pins.map((pin) => {
    if (typeof pin === 'string') return pin
    const parts: Part[] = []
    dialect.read(pin.message, 0, parts)
    return textOf(parts)
  })
  return [...new Set(texts.filter((text) => text !== ''))]
}
