/** Types of compaction plans: what is removed, what stays, why, and what it saves. */
import type { Patch, Rule, Service } from '../core/index.ts'
import { type Check, nested, type OptionTable } from '../core/options.ts'
import { BUDGET_OPTIONS, type BudgetOptions, USAGE, type Usage } from './budget.ts'
import type { Cut } from './choose-cut.ts'
import type { CompactionNote } from './compaction-note.ts'
import type { Estimate } from './estimate.ts'
import type { PlanningInput } from './planning-input.ts'
import { type BreakEven, PRICE_OPTIONS, type Prices } from './prices.ts'
import type { Memory, Shrunk } from './shrink.ts'
import { STRATEGY_OPTIONS, type Strategy, type StrategyOptions } from './strategy-options.ts'

/** Text that must be in the history verbatim after the compaction: a rule, a fact, or the text of a message. */
export type Pin = string | { readonly message: unknown }

export interface PlanTarget {
  readonly service: Service
  readonly rules: readonly Rule[]
  readonly model?: string | undefined
  readonly inProgress?: boolean | undefined
  readonly strict?: boolean | undefined
  readonly budget?: BudgetOptions | undefined
  readonly strategies?: StrategyOptions | undefined
  readonly usage?: Usage | undefined
  /** Tokens of the request outside the history: instructions, tools. Not needed with `usage`, which includes them. */
  readonly around?: number | undefined
  /** Tokens of a prompt that is not in the history yet. */
  readonly coming?: number | undefined
  /** The current time and that of the last request, in milliseconds: an expired cache costs nothing to change. */
  readonly now?: number | undefined
  readonly lastRequestAt?: number | undefined
  readonly prices?: Partial<Prices> | undefined
  readonly estimate?: Estimate | undefined
  readonly pins?: readonly Pin[] | undefined
  /** A summary of what came before this history. */
  readonly prior?: string | undefined
  /** Earlier decisions about single tool results, by the guard or by an earlier plan. Only read here. */
  readonly memory?: Memory | undefined
  /** At least this many messages at the end stay as they are, as for `split`. */
  readonly minKeep?: number | undefined
  /** Compact even if the history is within the budget. */
  readonly force?: boolean | undefined
  /** Compaction items in the history are from this provider. */
  readonly native?: boolean | undefined
}

const arePins: Check = (value) => {
  const isPin = (pin: unknown) =>
    typeof pin === 'string' || (typeof pin === 'object' && pin !== null && Object.hasOwn(pin, 'message'))
  return Array.isArray(value) && value.every(isPin) ? undefined : 'an array of strings or { message }'
}

/** Options of callers; `service` and `rules` follow from the provider's name. */
export const PLAN_OPTIONS: OptionTable<Omit<PlanTarget, 'service' | 'rules' | 'native'>> = {
  model: 'string',
  inProgress: 'boolean',
  strict: 'boolean',
  budget: nested('budget', BUDGET_OPTIONS),
  strategies: nested('strategies', STRATEGY_OPTIONS),
  usage: nested('usage', USAGE),
  around: 'number',
  coming: 'number',
  now: 'number',
  lastRequestAt: 'number',
  prices: nested('prices', PRICE_OPTIONS),
  estimate: 'function',
  pins: arePins,
  prior: 'string',
  memory: 'object',
  // Checked where it is used, as for `split`.
  minKeep: 'any',
  force: 'boolean',
}

/** The reasons, for programs. */
export type ReasonCode =
  | 'fits'
  | 'due'
  | 'pays'
  | 'cold'
  | 'forced'
  | 'giant-turn'
  | 'last-round-too-large'
  | 'no-place-to-cut'
  | 'larger'
  | 'pins-too-large'
  | 'ledger-cut'
  | 'native-item'
  | 'not-enough'
  | 'summary-empty'
  | 'summary-refused'
  | 'summary-failed'
  | 'under-way'
  | 'lost-race'
  | 'aborted'

/** Why a plan did or did not do something. */
export interface Reason {
  readonly code: ReasonCode
  /** One sentence for a log. */
  readonly message: string
}

/** What one strategy removes. */
export interface PlanStep {
  readonly strategy: Strategy
  /** Tokens that it removes, estimated. */
  readonly saves: number
  /** Ids of calls whose results it shortens. */
  readonly calls?: readonly string[]
  /** Messages [from, to) are removed; `cut` names the place of the cut. */
  readonly from?: number
  readonly to?: number
  readonly cut?: string
  /** What replaces them: the note, and the request of a turn that was cut. */
  readonly instead?: readonly unknown[]
}

/** What a summarizer gets. */
export interface SummaryInput<Message = unknown> {
  /** The messages to summarize, without the notes of earlier compactions. */
  readonly head: readonly Message[]
  /** The previous summary: the new one must contain every fact of it. */
  readonly prior: string
  /** If the cut is inside a turn: the text of the turn's request, which stays. */
  readonly request: string
  /** Maximum length of the summary in tokens. */
  readonly maxTokens: number
  readonly service: Service
  readonly estimate: Estimate
}

export interface PlanBase {
  /** Applying the patch changes the history. */
  readonly changesAnything: boolean
  readonly why: readonly Reason[]
  readonly steps: readonly PlanStep[]
  /** Names of the rounds of the history that change, neighbors together: `turn 1, round 1 to turn 4, round 2`. */
  readonly rounds: readonly string[]
  readonly tokens: {
    readonly before: number
    readonly after: number
    readonly limit: number
    readonly goal: number
    /** `before` is based on usage that the provider reported. */
    readonly reported: boolean
  }
  /** The result is within the budget. */
  readonly fits: boolean
  /** What the provider's cache keeps: messages and tokens at the beginning that do not change. */
  readonly cache: { readonly cold: boolean; readonly messages: number; readonly tokens: number }
  readonly breakEven: BreakEven
  /** Each pin, and whether it is in the result verbatim. */
  readonly pins: readonly { readonly text: string; readonly present: boolean }[]
  /** Decisions about single results. Store them when you apply the plan, so that the next plan gives the same bytes. */
  readonly shrunk: readonly Shrunk[]
  readonly patch: Patch
}

/** A compaction that has not been made yet, and why it is as it is. */
export type Plan<Message = unknown> =
  | (PlanBase & { readonly needs: 'nothing' })
  /** Nothing changes until `finish` gets the summary. */
  | (PlanBase & { readonly needs: 'summary'; readonly summaryInput: SummaryInput<Message>; readonly draft: CutDraft })

export const isPlan: Check = (value) => {
  const { needs, patch, draft } = (value ?? {}) as Partial<Plan & { draft: unknown }>
  const isWhole = Array.isArray(patch) && (needs === 'nothing' || (needs === 'summary' && draft !== undefined))
  return isWhole ? undefined : 'a plan as plan() gives it'
}

/** What `finish` needs to complete the plan. */
export interface CutDraft {
  readonly input: PlanningInput
  readonly cut: Cut
  readonly note: CompactionNote
}
