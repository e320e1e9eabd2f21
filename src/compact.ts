/**
 * The entry point `suture/compact`: makes a history shorter and keeps it valid.
 * A plan is a value; applying it is one patch, and undoing it another.
 */
import { apply, invert, type MessageOf, type Patch, Transcript } from './core/index.ts'
import { checkOptions, checkValue, type OptionTable } from './core/options.ts'
import { compactionsOf, compactView, type SessionCompacted } from './session/compact-view.ts'
import type { Session } from './session/session.ts'
import { isSession } from './session/session-options.ts'
import { cancelPlan } from './strategies/assemble-plan.ts'
import { type BudgetOptions, budgetOf } from './strategies/budget.ts'
import { leadingSystemMessages } from './strategies/choose-cut.ts'
import { CircuitBreaker } from './strategies/circuit-breaker.ts'
import { writeNote } from './strategies/compaction-note.ts'
import { NO_LEDGER } from './strategies/ledger.ts'
import { plan as planFor } from './strategies/plan.ts'
import { isPlan, PLAN_OPTIONS, type Plan, type PlanTarget } from './strategies/plan-types.ts'
import { type Prices, UNCACHED } from './strategies/prices.ts'
import { providerItem, withoutProviderItems } from './strategies/provider-compaction.ts'
import { type Receipt, receiptOf } from './strategies/receipt.ts'
import type { Memory } from './strategies/shrink.ts'
import type { Summarize } from './strategies/summary-request.ts'
import { type DialectOption, type ProviderOption, serviceOf, targetOf, unnamed } from './target.ts'

export { apply, invert, type MessageOf } from './core/index.ts'
export type { SessionCompacted } from './session/compact-view.ts'
export type { Budget, BudgetOptions, Usage } from './strategies/budget.ts'
export { CircuitBreaker, type CircuitBreakerOptions } from './strategies/circuit-breaker.ts'
export { windowOf } from './strategies/context-windows.ts'
export { digest } from './strategies/digest.ts'
export { type Estimate, estimateTokens } from './strategies/estimate.ts'
export type { Ledger } from './strategies/ledger.ts'
export { failed, finish } from './strategies/plan-cut.ts'
export type { Pin, Plan, PlanStep, Reason, ReasonCode, SummaryInput } from './strategies/plan-types.ts'
export { tokensAround } from './strategies/planning-input.ts'
export type { BreakEven, Prices } from './strategies/prices.ts'
export type { LoggedCompaction, Receipt } from './strategies/receipt.ts'
export { render } from './strategies/render.ts'
export { type Memory, type MemoryOptions, shrinkMemory } from './strategies/shrink.ts'
export type { Strategy, StrategyOptions } from './strategies/strategy-options.ts'
export {
  dropOldest,
  type Summarize,
  type SummarizeOptions,
  type SummaryRequest,
  summarizeBy,
} from './strategies/summary-request.ts'
export { budgetOf, compactionsOf }

/** Options of `compact`. */
export interface CompactOptions extends Omit<PlanTarget, 'service' | 'rules' | 'native'> {
  /** The provider that gets the history, as for `repair`. */
  readonly provider: ProviderOption
  readonly dialect?: DialectOption | undefined
  readonly budget?: BudgetOptions | undefined
}

const COMPACT_OPTIONS: OptionTable<CompactOptions> = { ...PLAN_OPTIONS, provider: 'any', dialect: 'any' }

/** What a compaction returns. */
export interface Compacted<T> {
  /** The same value if nothing changed. */
  readonly history: T
  readonly patch: Patch
  /** `apply(history, undo)` restores the original. */
  readonly undo: Patch
  readonly plan: Plan<MessageOf<T>>
  readonly receipt: Receipt
}

/** Providers that put compaction items of their own into a history. */
const WITH_ITEMS: ReadonlySet<string> = new Set(['anthropic', 'openai', 'openai-responses', 'azure'])
/** Cache prices that differ from Anthropic's. */
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

/** Plans a compaction of a history or a request body. Changes nothing. */
export function plan<T extends object>(history: T, options: CompactOptions): Plan<MessageOf<T>> {
  checkNamed('plan', options, COMPACT_OPTIONS)
  return planFor(history, targetFor(history, options)) as Plan<MessageOf<T>>
}

/** Plans and applies, without a model. */
export function compact<T extends object>(history: T, options: CompactOptions): Compacted<T> {
  checkNamed('compact', options, COMPACT_OPTIONS)
  const strategies = { ...options.strategies, summary: { ...options.strategies?.summary, method: 'digest' as const } }
  return compacted(history, plan(history, { ...options, strategies }), options.memory)
}

/** Called before the options are read; the error for a missing provider lists all providers. */
function checkNamed(of: string, options: unknown, table: OptionTable<object>): void {
  if (options === undefined || options === null) throw unnamed()
  checkOptions(of, options, table)
}

const sharedBreaker = new CircuitBreaker()
/** Without a key each list has a circuit breaker of its own. */
const breakers = new WeakMap<object, CircuitBreaker>()

function breakerOf(history: unknown): CircuitBreaker {
  if (typeof history !== 'object' || history === null) return new CircuitBreaker()
  const known = breakers.get(history) ?? new CircuitBreaker()
  breakers.set(history, known)
  return known
}

/** Options of `compactWith`. */
export interface CompactWithOptions extends CompactOptions {
  readonly summarize: Summarize
  /**
   * Names the conversation: one summary at a time per id, none after three failures in a row. A second call meanwhile,
   * also by the summarizer, returns the history unchanged with the reason `under-way`. Default: the list itself.
   */
  readonly conversationId?: string
  readonly circuitBreaker?: CircuitBreaker
  readonly signal?: AbortSignal
}

const COMPACT_WITH: OptionTable<CompactWithOptions> = {
  ...COMPACT_OPTIONS,
  summarize: 'function',
  conversationId: 'string',
  circuitBreaker: 'object',
  signal: 'object',
}

/** Plans, gets the summary, applies. If it fails, is empty or is larger, nothing changes: see `plan.why`. */
export async function compactWith<T extends object>(history: T, options: CompactWithOptions): Promise<Compacted<T>> {
  checkNamed('compactWith', options, COMPACT_WITH)
  const { summarize, conversationId, circuitBreaker, signal, ...rest } = options
  checkValue('Option "summarize" of compactWith', summarize, 'function', 'Make one with summarizeBy({ send }).')
  const strategies = { ...rest.strategies, summary: { ...rest.strategies?.summary, method: 'model' as const } }
  const found = plan(history, { ...rest, strategies })
  if (found.needs === 'nothing') return compacted(history, found, options.memory)
  const breaker = circuitBreaker ?? (conversationId === undefined ? breakerOf(history) : sharedBreaker)
  const key = conversationId ?? ''
  const before = found.draft.input.list.length
  const blocked = breaker.blocks(key, before)
  if (blocked) return compacted(history, cancelPlan(found, blocked))
  const done = compacted(history, await breaker.finish(key, found, summarize, signal))
  if (done.plan.changesAnything) breaker.applied(key, before, done.receipt.messages.after)
  return done
}

/** Applies a plan to the history it was made for. A memory keeps originals of shortened results, by id of the call. */
export function compacted<T>(history: T, done: Plan, memory?: Memory): Compacted<T> {
  checkValue('The plan', done, isPlan)
  const after = apply(history, done.patch)
  for (const shrunk of done.shrunk) memory?.remember(shrunk)
  return {
    history: after,
    patch: done.patch,
    undo: invert(done.patch),
    plan: done as Plan<MessageOf<T>>,
    receipt: receiptOf(history, after, done),
  }
}

/** Options of `compactSession`. */
export interface CompactSessionOptions
  extends Omit<CompactOptions, 'provider' | 'dialect' | 'model' | 'inProgress' | 'strict'> {
  /** Writes the summary if one is needed. Default: a digest without a model. */
  readonly summarize?: Summarize
  readonly circuitBreaker?: CircuitBreaker
  /** Aborting before the record is written leaves the session unchanged. */
  readonly signal?: AbortSignal
  /** Default: derived from the state of the session: each state is compacted once, also by several processes. */
  readonly operationId?: string
}

const { model: _model, inProgress: _inProgress, strict: _strict, ...PLANNED } = PLAN_OPTIONS
const COMPACT_SESSION: OptionTable<CompactSessionOptions> = {
  ...PLANNED,
  summarize: 'function',
  circuitBreaker: 'object',
  signal: 'object',
  operationId: 'name',
}

/**
 * Compacts a session: adds one record with a receipt to its log, which `session.undo()` reverts exactly.
 * Messages appended meanwhile stay. If the session changed otherwise, or the summary fails, nothing is written.
 */
export async function compactSession<Message = unknown>(
  session: Session<Message>,
  options: CompactSessionOptions = {},
): Promise<SessionCompacted<Message>> {
  checkValue('The session', session, isSession, 'Open one first: await openSession(store, id, { provider }).')
  checkOptions('compactSession', options, COMPACT_SESSION)
  const { summarize, circuitBreaker, signal, operationId, ...rest } = options
  const { provider, service, rules, model, strict } = session.wiring
  const method = summarize ? ('model' as const) : ('digest' as const)
  const strategies = { ...rest.strategies, summary: { ...rest.strategies?.summary, method } }
  const target = { ...rest, service, rules, model, strict, strategies, ...termsOf(provider, rest.prices) }
  const plan = (history: readonly unknown[]) => planFor(history, target)
  const done = await compactView(session as Session, { plan, summarize, circuitBreaker, signal, operationId })
  if (done.changesAnything) for (const shrunk of done.plan!.shrunk) options.memory?.remember(shrunk)
  return done as SessionCompacted<Message>
}

/**
 * The history for another provider: without compaction items, from the original messages on.
 * If those are gone, a note with the item's text replaces it, unless the text is encrypted.
 */
export function rawHead<T extends readonly unknown[]>(
  history: T,
  options: { readonly provider: ProviderOption; readonly dialect?: DialectOption | undefined },
): T {
  checkValue('A history', history, 'list', 'Pass the array of messages itself.')
  checkNamed('rawHead', options, { provider: 'any', dialect: 'any' } satisfies OptionTable<typeof options>)
  const { dialect } = serviceOf(history, options)
  const transcript = new Transcript(history, dialect)
  const lead = leadingSystemMessages(transcript)
  const item = providerItem(transcript)
  const list = withoutProviderItems(history, dialect)
  if (item?.text === undefined || item.at > lead) return list as T
  const note = writeNote({ messages: 0, pins: [], summary: item.text, ledger: NO_LEDGER })
  const noted = [...list.slice(0, lead), transcript.dialect.textMessage('user', note), ...list.slice(lead)]
  return noted as unknown as T
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
  return { prices: { ...(CACHES[id] ?? UNCACHED), ...prices }, native: WITH_ITEMS.has(id) }
}
