/**
 * Suture for people who have a history: find what a provider would refuse, and mend it.
 * Wires dialects, providers and rules to the core; no run-time dependency, no Node API.
 */
import {
  type Dialect,
  type Finding,
  type Group,
  lint as lintFor,
  type Provider,
  type Repaired,
  repair as repairFor,
  rounds as roundsOf,
  type Split,
  type SplitOptions,
  split as splitFor,
  turns as turnsOf,
} from './core/index.ts'
import { checkOptions, checkValue, type OptionTable } from './core/options.ts'
import { detect } from './dialects/detect.ts'
import { dialects } from './dialects/index.ts'
import { providers } from './providers/index.ts'
import { rules } from './rules/index.ts'
import { dropRound as dropRoundFor, type RoundDropped, type RoundRef } from './strategies/drop-round.ts'
import { dialectOf, listOf, type Options, targetOf } from './target.ts'

export {
  apply,
  type Cause,
  causes,
  causeText,
  type Dialect,
  type Edit,
  type ErrorCode,
  type ErrorCodes,
  type Finding,
  type Group,
  invert,
  isSutureError,
  isSynthetic,
  type Law,
  type Part,
  type Patch,
  type Path,
  type Policy,
  type Provider,
  pointer,
  type Repaired,
  type Rule,
  type Severity,
  type Split,
  SutureError,
} from './core/index.ts'
export type { RoundDropped, RoundRef } from './strategies/drop-round.ts'
export type { Options } from './target.ts'
export { detect, dialects, providers, rules }

/** What the provider would refuse in this history, or in this request body. */
export function lint(history: unknown, options: Options): readonly Finding[] {
  return lintFor(history, targetOf(history, options))
}

/** The history as the provider accepts it, and the patch that leads there. Sound: the very same value. */
export function repair<T>(history: T, options: Options): Repaired<T> {
  return repairFor(history, targetOf(history, options))
}

const GROUPING: OptionTable<{ dialect?: string }> = { dialect: 'string' }
const SPLITTING: OptionTable<SplitOptions & { dialect?: string }> = {
  ...GROUPING,
  minKeep: 'number',
  maxKeep: 'number',
}

/** From one user prompt up to the next. */
export function turns(history: readonly unknown[], options: { readonly dialect?: string } = {}): readonly Group[] {
  checkOptions('turns', options, GROUPING)
  return turnsOf(listOf(history), dialectOf(history, options.dialect))
}

/** One API round trip each. */
export function rounds(history: readonly unknown[], options: { readonly dialect?: string } = {}): readonly Group[] {
  checkOptions('rounds', options, GROUPING)
  return roundsOf(listOf(history), dialectOf(history, options.dialect))
}

/**
 * One round goes; the prompt that opened it stays, and the rest is valid for its provider. `invert(patch)` brings it back.
 * Without `provider`, the one that made the history's dialect.
 */
export function dropRound<T>(history: T, round: RoundRef, options: Partial<Options> = {}): RoundDropped<T> {
  checkValue('The options of dropRound', options, 'object')
  const provider = options.provider ?? makerOf(dialectOf(history, options.dialect))
  return dropRoundFor(history, round, targetOf(history, { ...options, provider }))
}

function makerOf(dialect: Dialect): Provider {
  return providers.find(({ serves }) => serves.some((one) => one.dialect.id === dialect.id))!
}

/** The one place to cut a history: never inside a pair, a batch or an answer. */
export function split<T>(history: readonly T[], options: SplitOptions & { readonly dialect?: string }): Split<T> {
  checkOptions('split', options, SPLITTING)
  return splitFor(listOf(history), dialectOf(history, options?.dialect), options ?? {})
}
