/**
 * The door for people whose history is too long: shorter, still whole, and never a surprise.
 * A plan is a value; applying it is one patch, and undoing it another.
 */
import { apply, invert, type Patch, type Provider } from './core/index.ts'
import { compactionsOf, compactView, type SessionCompacted } from './session/compacting.ts'
import type { Session } from './session/session.ts'
import type { Summarise } from './strategies/ask.ts'
import { type BudgetOptions, budgetOf } from './strategies/budget.ts'
import { Breaker } from './strategies/compactor.ts'
import { leadOf } from './strategies/cut.ts'
import { NO_LEDGER } from './strategies/ledger.ts'
import { nativeIn, withoutNative } from './strategies/native.ts'
import { writeNote } from './strategies/note.ts'
import { noteReason } from './strategies/outcome.ts'
import { plan as planFor } from './strategies/plan.ts'
import type { Plan, PlanTarget } from './strategies/plan-types.ts'
import { type Prices, UNCACHED } from './strategies/prices.ts'
import { type Receipt, receiptOf } from './strategies/receipt.ts'
import type { Memory } from './strategies/shrink.ts'
import { serviceOf, targetOf } from './target.ts'

export { apply, invert } from './core/index.ts'
export type { Logged, SessionCompacted } from './session/compacting.ts'
export { type AskingOptions, dropOldest, type Summarise, type SummaryRequest, summariseBy } from './strategies/ask.ts'
export type { Budget, BudgetOptions, Usage } from './strategies/budget.ts'
export { Breaker, type BreakerOptions } from './strategies/compactor.ts'
export { tokensAround } from './strategies/desk.ts'
export { digest } from './strategies/digest.ts'
export { type Estimate, estimateTokens } from './strategies/estimate.ts'
export type { Ledger } from './strategies/ledger.ts'
export type { Ask, Pin, Plan, Reason, ReasonCode, Step } from './strategies/plan-types.ts'
export type { PolicyOptions, Strategy } from './strategies/policy.ts'
export type { Pays, Prices } from './strategies/prices.ts'
export type { Receipt } from './strategies/receipt.ts'
export { render } from './strategies/render.ts'
export { type Memory, type MemoryOptions, shrinkMemory } from './strategies/shrink.ts'
export { failed, finish } from './strategies/summary.ts'
export { windowOf } from './strategies/windows.ts'
export { budgetOf, compactionsOf }

export interface CompactOptions extends Omit<PlanTarget, 'service' | 'rules' | 'native'> {
  /** Who will get the history, as for `repair`. */
  readonly provider: string | Provider
  readonly dialect?: string
  readonly budget?: BudgetOptions | undefined
}

export interface Compacted<T> {
  /** The very same value when nothing changed. */
  readonly history: T
  readonly patch: Patch
  /** Applied to `history`, gives back what was given. */
  readonly undo: Patch
  readonly plan: Plan
  readonly receipt: Receipt
}

/** Providers whose own compaction items a history may hold, and what their caches cost where that is not Anthropic's way. */
const NATIVE: ReadonlySet<string> = new Set(['anthropic', 'openai', 'openai-responses', 'azure'])
const CACHES: Readonly<Record<string, Partial<Prices>>> = {
  anthropic: {},
  bedrock: {},
  vertex: {},
  openai: { read: 0.1, write: 1, output: 8 },
  'openai-responses': { read: 0.1, write: 1, output: 8 },
  azure: { read: 0.1, write: 1, output: 8 },
  gemini: { read: 0.1, write: 1, output: 8 },
  deepseek: { read: 0.1, write: 1, output: 1.5 },
}

/** What to do about this history, or this request body: a value, nothing is done. */
export function plan(history: unknown, options: CompactOptions): Plan {
  return planFor(history, targetFor(history, options))
}

/** Plan and apply, without a model. */
export function compact<T>(history: T, options: CompactOptions): Compacted<T> {
  const policy = { ...options.policy, summary: { ...options.policy?.summary, by: 'digest' as const } }
  return compacted(history, plan(history, { ...options, policy }), options.memory)
}

const breaker = new Breaker()
/** Without a key it is the list itself that is compacted once at a time. */
const breakers = new WeakMap<object, Breaker>()

function breakerOf(history: unknown): Breaker {
  if (typeof history !== 'object' || history === null) return new Breaker()
  const known = breakers.get(history) ?? new Breaker()
  breakers.set(history, known)
  return known
}

export interface CompactWithOptions extends CompactOptions {
  readonly summarise: Summarise
  /**
   * Whose history this is: one summary at a time for each, and three failures in a row make it rest. Who asks meanwhile, the summariser included,
   * gets the history as it is at once, and `under-way` as the reason.
   */
  readonly key?: string
  readonly breaker?: Breaker
  readonly signal?: AbortSignal
}

/** Plan, have the summary written, and apply. A summary that fails, is empty or larger changes nothing, and the plan says so. */
export async function compactWith<T>(history: T, options: CompactWithOptions): Promise<Compacted<T>> {
  const policy = { ...options.policy, summary: { ...options.policy?.summary, by: 'ask' as const } }
  const found = plan(history, { ...options, policy })
  if (found.needs === 'nothing') return compacted(history, found, options.memory)
  const guard = options.breaker ?? (options.key === undefined ? breakerOf(history) : breaker)
  const key = options.key ?? ''
  const before = found.draft.desk.list.length
  const refused = guard.refuses(key, before)
  if (refused) return compacted(history, noteReason(found, refused))
  const done = compacted(history, await guard.finish(key, found, options.summarise, options.signal))
  if (done.plan.acts) guard.applied(key, before, done.receipt.messages.after)
  return done
}

/** What a plan makes of the history it was made for. With a memory, what it shrank can be had again from there by the call's id. */
export function compacted<T>(history: T, done: Plan, memory?: Memory): Compacted<T> {
  const after = apply(history, done.patch)
  for (const shrunk of done.shrunk) memory?.remember(shrunk)
  return {
    history: after,
    patch: done.patch,
    undo: invert(done.patch),
    plan: done,
    receipt: receiptOf(history, after, done),
  }
}

export interface CompactSessionOptions
  extends Omit<CompactOptions, 'provider' | 'dialect' | 'model' | 'inProgress' | 'strict'> {
  /** Writes the summary where one is needed; without it a digest is made that needs no model. */
  readonly summarise?: Summarise
  readonly breaker?: Breaker
  /** An abort before the record is written leaves everything as it was. */
  readonly signal?: AbortSignal
  /** By default there is one compaction for each state of the session, whoever makes it. */
  readonly operationId?: string
}

/**
 * Makes what a session sends shorter: one record in its log, with a receipt, that `session.undo()` takes back exactly.
 * What is appended meanwhile stays; if somebody else changed the session, or the summary fails, nothing is written.
 */
export async function compactSession(session: Session, options: CompactSessionOptions = {}): Promise<SessionCompacted> {
  const { summarise, breaker: own, signal, operationId, ...rest } = options
  const { provider, service, rules, model, strict } = session.wiring
  const by = summarise ? ('ask' as const) : ('digest' as const)
  const policy = { ...rest.policy, summary: { ...rest.policy?.summary, by } }
  const target = { ...rest, service, rules, model, strict, policy, ...termsOf(provider, rest.prices) }
  const plan = (history: readonly unknown[]) => planFor(history, target)
  const done = await compactView(session, { plan, summarise, breaker: own, signal, operationId })
  if (done.acts) for (const shrunk of done.plan!.shrunk) options.memory?.remember(shrunk)
  return done
}

/**
 * The history as any other provider must get it: without the compaction items of the one that made them, from the raw head on.
 * Where the raw head is gone, what the item says is said in its place if it can be read.
 */
export function rawHead(
  history: readonly unknown[],
  options: { readonly provider: string | Provider; readonly dialect?: string },
): readonly unknown[] {
  const { dialect } = serviceOf(history, options)
  const lead = leadOf(history, dialect)
  const item = nativeIn(history, dialect)
  const list = withoutNative(history, dialect)
  if (item?.text === undefined || item.at > lead) return list
  const said = writeNote({ messages: 0, pins: [], summary: item.text, ledger: NO_LEDGER })
  return [...list.slice(0, lead), dialect.say('user', said), ...list.slice(lead)]
}

function targetFor(history: unknown, options: CompactOptions): PlanTarget {
  const { dialect, provider, model } = options
  const { service, rules, strict } = targetOf(history, {
    provider,
    ...(dialect ? { dialect } : {}),
    ...(model ? { model } : {}),
  })
  const id = typeof provider === 'string' ? provider : provider.id
  return { ...options, service, rules, strict, ...termsOf(id, options.prices) }
}

function termsOf(id: string, prices: Partial<Prices> | undefined): { prices: Partial<Prices>; native: boolean } {
  return { prices: { ...(CACHES[id] ?? UNCACHED), ...prices }, native: NATIVE.has(id) }
}
