/**
 * The entry point `suture`: lint, repair and cut a history, for the built-in providers or one of your own.
 * No run-time dependency, no Node API.
 */
import {
  type SplitOptions as CutOptions,
  type Dialect,
  type Finding as FindingOf,
  type Group,
  lint as lintFor,
  type Provider,
  type Repaired as RepairedOf,
  repair as repairFor,
  rounds as roundsOf,
  type Split,
  split as splitFor,
  turns as turnsOf,
} from './core/index.ts'
import { checkOptions, checkValue, type OptionTable } from './core/options.ts'
import { detect } from './dialects/detect.ts'
import { dialects } from './dialects/index.ts'
import { providers } from './providers/index.ts'
import { rules } from './rules/index.ts'
import { dropRound as dropRoundFor, type RoundDropped, type RoundRef } from './strategies/drop-round.ts'
import {
  type DialectOption,
  dialectOf,
  type FindingId,
  type LintOptions,
  listOf,
  type RepairOptions,
  targetOf,
} from './target.ts'

export {
  apply,
  type Cause,
  type Constraint,
  causes,
  causeText,
  type Dialect,
  type Edit,
  type ErrorCode,
  type ErrorCodes,
  type ErrorDetails,
  type Group,
  invert,
  isSutureError,
  isSynthetic,
  type MessageOf,
  type Part,
  type Patch,
  type Path,
  type Policy,
  type Provider,
  pointer,
  type Rule,
  type Severity,
  type Split,
  SutureError,
  type SutureErrorOf,
} from './core/index.ts'
export type { DialectId } from './dialects/index.ts'
export type { ProviderId } from './providers/index.ts'
export type { RuleId } from './rules/index.ts'
export type { RoundDropped, RoundRef } from './strategies/drop-round.ts'
export type { DialectOption, LintOptions, ProviderOption, RepairOptions } from './target.ts'
export { isDialectId, isProviderId, isRuleId } from './target.ts'
export { detect, dialects, providers, rules }

/** What is wrong with a history, where, and who rejects it. */
export type Finding = FindingOf<FindingId>
/** What `repair` returns: the history, the patch, and the findings before and after it. */
export type Repaired<T> = RepairedOf<T, FindingId>

/** What the provider would reject in this history, or in this request body. */
export function lint(history: object, options: LintOptions): readonly Finding[] {
  return lintFor(history, targetOf(history, options)) as readonly Finding[]
}

/** The history as the provider accepts it, and the patch that leads to it. A valid history is the same object. */
export function repair<T extends object>(history: T, options: RepairOptions): Repaired<T> {
  return repairFor(history, targetOf(history, options)) as Repaired<T>
}

/** Options of `turns` and `rounds`. */
export interface GroupOptions {
  /** Default: detected from the history. */
  readonly dialect?: DialectOption | undefined
}

const GROUP_OPTIONS: OptionTable<GroupOptions> = { dialect: 'any' }
const SPLIT_OPTIONS: OptionTable<SplitOptions> = { ...GROUP_OPTIONS, minKeep: 'number', maxKeep: 'number' }

/** From one user prompt up to the next. */
export function turns(history: readonly unknown[], options: GroupOptions = {}): readonly Group[] {
  checkOptions('turns', options, GROUP_OPTIONS)
  return turnsOf(listOf(history), dialectOf(history, options.dialect))
}

/** One API round trip each. */
export function rounds(history: readonly unknown[], options: GroupOptions = {}): readonly Group[] {
  checkOptions('rounds', options, GROUP_OPTIONS)
  return roundsOf(listOf(history), dialectOf(history, options.dialect))
}

/** `provider` by default: the one that made the dialect of the history. */
export type DropRoundOptions = Partial<RepairOptions>

/** Removes one round but its prompt, and repairs the rest for the provider. `invert(patch)` restores the round. */
export function dropRound<T extends object>(
  history: T,
  round: RoundRef,
  options: DropRoundOptions = {},
): RoundDropped<T> {
  checkValue('The options of dropRound', options, 'object')
  const provider = options.provider ?? makerOf(dialectOf(history, options.dialect))
  return dropRoundFor(history, round, targetOf(history, { ...options, provider }))
}

function makerOf(dialect: Dialect): Provider {
  return providers.find(({ serves }) => serves.some((one) => one.dialect.id === dialect.id))!
}

/** Options of `split`. */
export interface SplitOptions extends CutOptions, GroupOptions {}

/** Cuts a history in two: never between a call and its result, inside a parallel batch or inside one reply. */
export function split<T>(history: readonly T[], options: SplitOptions): Split<T> {
  checkOptions('split', options, SPLIT_OPTIONS)
  return splitFor(listOf(history), dialectOf(history, options?.dialect), options ?? {})
}
