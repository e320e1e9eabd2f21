/**
 * A compaction before it is done: what goes, what stays, why, and what it is worth.
 */
import type { Patch, Rule, Service } from '../core/index.ts'
import type { Budget, BudgetOptions, Measure, Usage } from './budget.ts'
import type { Counted } from './counted.ts'
import type { Cut } from './cut.ts'
import type { Estimate } from './estimate.ts'
import type { Note } from './note.ts'
import type { Policy, PolicyOptions, Strategy } from './policy.ts'
import type { Pays, Prices } from './prices.ts'
import type { Memory, Shrunk } from './shrink.ts'
import type { Cost } from './tokens.ts'

/** What must be there word for word afterwards: a rule or a fact as text, or a message of the history (its text). */
export type Pin = string | { readonly message: unknown }

export interface PlanTarget {
  readonly service: Service
  readonly rules: readonly Rule[]
  readonly model?: string | undefined
  readonly inProgress?: boolean | undefined
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
  /** Compact although it is not due. */
  readonly force?: boolean | undefined
  /** Compaction items in the history are this provider's own. */
  readonly native?: boolean | undefined
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
  readonly pins: readonly string[]
  /** Before this place the provider looks at nothing: an item of its own stands for it. */
  readonly seenFrom: number
  readonly nativeText: string | undefined
}
