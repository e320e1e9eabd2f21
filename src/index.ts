/**
 * Suture for people who have a history: find what a provider would refuse, and mend it.
 * Wires dialects, providers and rules to the core; no run-time dependency, no Node API.
 */
import {
  type Finding,
  type Group,
  lint as lintFor,
  type Repaired,
  repair as repairFor,
  rounds as roundsOf,
  type Split,
  type SplitOptions,
  split as splitFor,
  turns as turnsOf,
} from './core/index.ts'
import { detect } from './dialects/detect.ts'
import { dialects } from './dialects/index.ts'
import { providers } from './providers/index.ts'
import { rules } from './rules/index.ts'
import { dialectOf, listOf, type Options, targetOf } from './target.ts'

export {
  apply,
  type Cause,
  causes,
  causeText,
  type Constraint,
  type Dialect,
  type Edit,
  type ErrorCode,
  type ErrorCodes,
  type Finding,
  type Group,
  invert,
  isSutureError,
  isSynthetic,
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

/** From one user prompt up to the next. */
export function turns(history: readonly unknown[], options: { readonly dialect?: string } = {}): readonly Group[] {
  return turnsOf(listOf(history), dialectOf(history, options.dialect))
}

/** One API round trip each. */
export function rounds(history: readonly unknown[], options: { readonly dialect?: string } = {}): readonly Group[] {
  return roundsOf(listOf(history), dialectOf(history, options.dialect))
}

/** The one place to cut a history: never inside a pair, a batch or an answer. */
export function split<T>(history: readonly T[], options: SplitOptions & { readonly dialect?: string }): Split<T> {
  return splitFor(listOf(history), dialectOf(history, options?.dialect), options ?? {})
}
