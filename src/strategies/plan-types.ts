/**
 * A compaction before it is done: what goes, what stays, why, and what it is worth.
 */
import type { Patch, Rule, Service } from '../core/index.ts'
import { type Check, nested, type OptionTable } from '../core/options.ts'
import { BUDGET_OPTIONS, type Budget, type BudgetOptions, type Measure, USAGE, type Usage } from './budget.ts'
import type { Counted } from './counted.ts'
import type { Cut } from './cut.ts'
import type { Estimate } from './estimate.ts'
import type { Note } from './note.ts'
import { POLICY_OPTIONS, type Policy, type PolicyOptions, type Strategy } from './policy.ts'
import { type Pays, PRICE_OPTIONS, type Prices } from './prices.ts'
import type { Memory, Shrunk } from './shrink.ts'
import type { Cost } from './tokens.ts'

/** What must be there word for word afterwards: a rule or a fact as text, or a message of the history (its text). */
export type Pin = string | { readonly message: unknown }

export interface PlanTarget {
  readonly service: Service
  readonly rules: readonly Rule[]
  readonly model?: string | undefined
  readonly sending?: boolean | undefined
  readonly strict?: boolean | undefined
  readonly budget?: BudgetOptions | undefined
  readonly policy?: PolicyOptions | undefined
  readonly usage?: Usage | undefined
  /** Tokens that are sent beside the history: instructions, tools. Reported usage counts them itself. */
  readonly around?: number | undefined
  /** Tokens of a prompt that is still to come. */
  readonly coming?: number | undefined
  /** The time now and of the last request, in milliseconds: a cache that is gone costs nothing to break. */
  readonly now?: number | undefined
  readonly lastRequestAt?: number | undefined
  readonly prices?: Partial<Prices> | undefined
  readonly estimate?: Estimate | undefined
  readonly pins?: readonly Pin[] | undefined
  /** A summary of what came before this history, wherever it was kept. */
  readonly prior?: string | undefined
  /** What was decided about single results before, by the guard or by an earlier plan. Only read here. */
  readonly memory?: Memory | undefined
  /** At least so many messages at the end stay as they are, as for `split`. */
  readonly minKeep?: number | undefined
  /** Compact although it is not due. */
  readonly force?: boolean | undefined
  /** Compaction items in the history are this provider's own. */
  readonly native?: boolean | undefined
}

const arePins: Check = (value) => {
  const isPin = (pin: unknown) =>
    typeof pin === 'string' || (typeof pin === 'object' && pin !== null && Object.hasOwn(pin, 'message'))
  return Array.isArray(value) && value.every(isPin) ? undefined : 'an array of strings or { message }'
}

/** What a caller may say; who serves the history is worked out from its name. */
export const PLAN_OPTIONS: OptionTable<Omit<PlanTarget, 'service' | 'rules' | 'native'>> = {
  model: 'string',
  sending: 'boolean',
  strict: 'boolean',
  budget: nested('budget', BUDGET_OPTIONS),
  policy: nested('policy', POLICY_OPTIONS),
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
  // Checked in its own words, as for `split`.
  minKeep: 'any',
  force: 'boolean',
}

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

export interface Reason {
  readonly code: ReasonCode
  readonly says: string
}

export interface Step {
  readonly strategy: Strategy
  /** Tokens it takes away, by estimate. */
  readonly saves: number
  /** Ids of calls whose results it shortens. */
  readonly calls?: readonly string[]
  /** Messages [from, to) that go, and the place of the cut by name. */
  readonly from?: number
  readonly to?: number
  readonly cut?: string
  /** What stands for them: the note, and the request of a turn that was cut. */
  readonly instead?: readonly unknown[]
}

/** What a summariser is given. */
export interface Ask {
  /** The messages to be summarised; notes of earlier compactions are taken out. */
  readonly head: readonly unknown[]
  /** The summary so far: every fact in it must be in the new one. */
  readonly prior: string
  /** The cut falls inside a turn: what was asked in it, which stays. */
  readonly request: string
  /** Tokens it may take. */
  readonly max: number
  readonly service: Service
  readonly estimate: Estimate
}

export interface PlanBase {
  /** Something changes when this is applied. */
  readonly acts: boolean
  readonly why: readonly Reason[]
  readonly steps: readonly Step[]
  /** Names of the rounds of the history that change, neighbors together: `turn 1, round 1 to turn 4, round 2`. */
  readonly rounds: readonly string[]
  readonly tokens: {
    readonly before: number
    readonly after: number
    readonly limit: number
    readonly goal: number
    /** `before` rests on what the provider reported. */
    readonly reported: boolean
  }
  /** Afterwards it is within the budget. */
  readonly fits: boolean
  /** What stays of the provider's cache: messages and tokens at the beginning that do not change. */
  readonly cache: { readonly cold: boolean; readonly messages: number; readonly tokens: number }
  readonly pays: Pays
  /** Each with whether it was found again word for word. */
  readonly pins: readonly { readonly text: string; readonly present: boolean }[]
  /** What was decided about single results: to be remembered where the plan is applied, so that the next one says the same bytes. */
  readonly shrunk: readonly Shrunk[]
  readonly patch: Patch
}

export type Plan =
  | (PlanBase & { readonly needs: 'nothing' })
  /** Nothing changes until `finish` is given the summary. */
  | (PlanBase & { readonly needs: 'summary'; readonly ask: Ask; readonly draft: Draft })

/** What was expected, where a value is no plan. */
export const isPlan: Check = (value) => {
  const { needs, patch, draft } = (value ?? {}) as Partial<Plan & { draft: unknown }>
  const isWhole = Array.isArray(patch) && (needs === 'nothing' || (needs === 'summary' && draft !== undefined))
  return isWhole ? undefined : 'a plan as plan() gives it'
}

/** What `finish` needs to go on. */
export interface Draft {
  readonly desk: Desk
  readonly cut: Cut
  readonly note: Note
}

/** Everything known about one history while it is being planned for. */
export interface Desk {
  readonly input: unknown
  readonly list: readonly unknown[]
  /** The request around the list, and the key it is under. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly target: PlanTarget
  readonly counted: Counted
  /** What a message costs that is not in the list; holds until the next one is read. */
  readonly read: (message: unknown) => Cost
  readonly estimate: Estimate
  readonly sums: Float64Array
  readonly results: Float64Array
  readonly reasoning: Float64Array
  /** Of each message: its outline and what it may hold. */
  readonly flags: Uint16Array
  readonly measure: Measure
  readonly budget: Budget
  readonly policy: Policy
  readonly prices: Prices
  readonly cold: boolean
  readonly lead: number
  /** From here on every message stays as it is: the caller asked for so many. */
  readonly stays: number
  readonly pins: readonly string[]
  /** Before this place the provider looks at nothing: an item of its own stands for it. */
  readonly seenFrom: number
  readonly nativeText: string | undefined
}
