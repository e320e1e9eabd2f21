/**
 * Suture for people who have a history: find what a provider would refuse, and mend it.
 * Wires dialects, providers and rules to the core; no run-time dependency, no Node API.
 */
import {
  type Cause,
  type Finding,
  type Group,
  lint as lintFor,
  type Policy,
  type Provider,
  type Repaired,
  repair as repairFor,
  rounds as roundsOf,
  type Service,
  type Split,
  type SplitOptions,
  SutureError,
  split as splitFor,
  type Target,
  turns as turnsOf,
} from './core/index.ts'
import { detect } from './dialects/detect.ts'
import { dialects } from './dialects/index.ts'
import { providers, strictest } from './providers/index.ts'
import { rules } from './rules/index.ts'

export {
  apply,
  type Cause,
  causes,
  causeText,
  type Dialect,
  type Edit,
  type ErrorCode,
  errorCodes,
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
export { detect, dialects, providers, rules }

export interface Options {
  /** Who will get the history: an id such as `anthropic`, `strictest` for what all would accept, or a provider object. */
  readonly provider: string | Provider
  /** Laws that depend on the model only warn when it is not named. */
  readonly model?: string
  /** Where a provider serves several; else the history itself decides. */
  readonly dialect?: string
  /** The history is about to be sent: a call that might still be answered will not be. */
  readonly sending?: boolean
  /** Mend what is disputed or only assumed, too. */
  readonly strict?: boolean
  /** Rules by which the provider has just refused this very history. */
  readonly refused?: readonly string[]
  readonly policy?: Partial<Policy>
  /** Why results are missing, where the caller knows. */
  readonly cause?: Cause
}

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
  return turnsOf(history, dialectOf(history, options.dialect))
}

/** One API round trip each. */
export function rounds(history: readonly unknown[], options: { readonly dialect?: string } = {}): readonly Group[] {
  return roundsOf(history, dialectOf(history, options.dialect))
}

/** The one place to cut a history: never inside a pair, a batch or an answer. */
export function split<T>(history: readonly T[], options: SplitOptions & { readonly dialect?: string }): Split<T> {
  return splitFor(history, dialectOf(history, options.dialect), options)
}

function targetOf(history: unknown, options: Options): Target {
  if (typeof options !== 'object' || options === null || options.provider === undefined) {
    throw new SutureError(
      'unknown-provider',
      `Say who will get the history: { provider: 'anthropic' }. Known are ${known()}.`,
    )
  }
  const service = serviceOf(history, options)
  return { ...options, service, rules, strict: options.strict ?? options.provider === 'strictest' }
}

function serviceOf(history: unknown, { provider, dialect }: Options): Service {
  if (provider === 'strictest') return strictest(dialectOf(history, dialect))
  const found = typeof provider === 'string' ? providers.find(({ id }) => id === provider) : provider
  if (!found)
    throw new SutureError('unknown-provider', `There is no provider "${String(provider)}". Known are ${known()}.`, {
      provider,
    })
  const first = found.serves[0]!
  const wanted = dialect ?? (found.serves.length > 1 ? detect(history) : undefined)
  const service = found.serves.find((one) => one.dialect.id === wanted)
  if (service || dialect === undefined) return service ?? first
  const served = found.serves.map((one) => one.dialect.id).join(', ')
  throw new SutureError(
    'unknown-dialect',
    `${found.id} does not serve the dialect "${dialect}". It serves ${served}.`,
    { dialect },
  )
}

function dialectOf(history: unknown, id: string | undefined) {
  const wanted = id ?? detect(history) ?? 'openai-chat'
  const found = dialects.find((dialect) => dialect.id === wanted)
  if (found) return found
  throw new SutureError(
    'unknown-dialect',
    `There is no dialect "${wanted}". Known are ${dialects.map((one) => one.id).join(', ')}.`,
    { dialect: wanted },
  )
}

function known(): string {
  return [...providers.map(({ id }) => id), 'strictest'].join(', ')
}
