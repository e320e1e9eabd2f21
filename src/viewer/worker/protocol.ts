/**
 * The data that the worker gives the page. Everything here is plain data that survives `postMessage`. The calls are in
 * `main.ts`.
 */
import type { ErrorExplanation } from '../../guard/rejections/explain.ts'
import type { Usage } from '../../session-files/recorded-usage.ts'
import type { FileFinding } from '../../session-files/types.ts'
import type { PlanBase } from '../../strategies/plan-types.ts'

export type Status = 'same' | 'changed' | 'added' | 'removed' | 'excluded' | 'moved'

/** Which message of a row: as stored, or as the next request contains it. */
export type RowSide = 'stored' | 'next'

/** Formats in which a conversation is copied. */
export type CopyFormat = 'request' | 'curl' | 'test'

/** The roles that a row can have, in the order of their codes in `Overview.roles`. */
export const ROLES = ['system', 'user', 'assistant', 'tool', 'unknown'] as const
export type RoleName = (typeof ROLES)[number]

/** Bits of `Overview.flags`. */
export const FLAG = {
  turn: 1,
  error: 2,
  warning: 4,
  compaction: 8,
  excluded: 16,
  open: 32,
  differs: 64,
  fork: 128,
} as const

/** A message as stored or as sent, with its parts. */
export interface Cell {
  readonly role: RoleName
  readonly index: number
  readonly parts: readonly PartView[]
  readonly tokens: number
}

export interface PartView {
  readonly kind: 'text' | 'call' | 'result' | 'reasoning' | 'media' | 'opaque'
  readonly type: string
  readonly name?: string | undefined
  readonly id?: string | undefined
  /** At most 8 kB and 72 lines. */
  readonly text: string
  /** Characters that are not in `text`. */
  readonly more: number
  readonly failed?: boolean | undefined
  readonly server?: boolean | undefined
  /** A result that Suture or the agent made up. */
  readonly synthetic?: boolean
  /** `pending`: it may still be answered. */
  readonly pair?: 'paired' | 'open' | 'pending' | 'loose' | 'duplicate' | undefined
  /** The row of the other half of the pair. */
  readonly other?: number | undefined
  /** Place and number of calls made in parallel. */
  readonly batch?: readonly [number, number] | undefined
  readonly tokens: number
  /** A picture as a data URL, if it is small enough to show. */
  readonly image?: string | undefined
}

export interface SubAgent {
  readonly conversation: string
  readonly messages: number
  readonly tokens: number
}

/** What the source of a message has about it. */
export interface MessageFacts {
  /** Milliseconds since 1970: when its record was written. */
  readonly at?: number
  readonly model?: string
  readonly usage?: Usage
}

/** The same, as a row shows it. */
export interface RowFacts extends MessageFacts {
  /** Milliseconds since the message before it. */
  readonly took?: number | undefined
  /** In US dollars, for a reply; null: unknown. */
  readonly cost?: number | null
}

export interface Row {
  readonly at: number
  /** Absent: the source has nothing about the message. */
  readonly facts?: RowFacts | undefined
  readonly status: Status
  readonly turn: number
  readonly startsTurn: boolean
  /** Part of a round with calls: the beginning, the middle or the end of the bracket. */
  readonly rail?: 'start' | 'middle' | 'end' | undefined
  readonly stored?: Cell | undefined
  /** Absent if it is the same as what is stored. */
  readonly next?: Cell | undefined
  readonly because?: string | undefined
  readonly recordType?: string | undefined
  /** Lines of the file it comes from. */
  readonly lines?: readonly [number, number] | undefined
  /** Indexes in `Overview.findings`. */
  readonly findings: readonly number[]
  readonly compaction?: string | undefined
  readonly subAgents?: readonly SubAgent[] | undefined
}

/** How a provider words a rejection. `of` is its section in docs/data/rejections.json, `by` its name. */
export interface ProviderWords {
  readonly of: string
  readonly by: string
  readonly text: string
}

/** A rule in words, with error texts of providers. */
export interface RuleView {
  readonly summary?: string | undefined
  /** What the repair does. */
  readonly fix?: string | undefined
  readonly words: readonly ProviderWords[]
}

export interface FindingView extends RuleView, Pick<FileFinding, 'kind' | 'rule' | 'severity' | 'message' | 'line'> {
  readonly index: number
  readonly place: string
  readonly round?: string | undefined
  readonly row: number
  readonly repair: 'safe' | 'lossy' | 'none'
}

/** Rows that are shown as one: records that no request contains. */
export interface Fold {
  readonly start: number
  readonly end: number
  readonly because: string
}

/** Everything about a view but its rows. Arrays have one entry for each row. */
export interface Overview {
  /** Rows, and how many of them the next request contains. */
  readonly count: number
  readonly sentCount: number
  readonly roles: Uint8Array
  readonly flags: Uint16Array
  readonly tokens: Float32Array
  readonly turns: Int32Array
  /** Index of the stored message, and of the message of the next request; -1: the row has none. */
  readonly stored: Int32Array
  readonly next: Int32Array
  readonly folds: readonly Fold[]
  /** Boundaries that the agent wrote. */
  readonly compactions: readonly { readonly row: number; readonly about: string }[]
  readonly findings: readonly FindingView[]
  /** Number of errors that remain after the repair, and the first of them in words. */
  readonly remaining: number
  readonly firstRemaining: readonly { readonly rule: string; readonly message: string }[]
  readonly edits: number
  readonly reach?: { readonly included: number; readonly total: number } | undefined
  readonly dialect: string
  readonly model?: string | undefined
  readonly window: number
  readonly total: number
  readonly turnCount: number
  readonly verdict: string
  /** What of the file was not read, and what was checked; empty if all of it was. */
  readonly notUnderstood: string
}

export interface DocumentInfo {
  readonly name: string
  readonly formatTitle?: string | undefined
  /** It can be downloaded as a file. */
  readonly writes: boolean
  readonly conversations: readonly {
    readonly id: string
    readonly title?: string | undefined
    readonly provider: string
    readonly messages: number
  }[]
  /** Number of repairs that undo can reverse. */
  readonly undoable: number
}

/** Categories of tokens, in the order of `categories` and `parts`. */
export const CATEGORIES = [
  'instructions',
  'prompts',
  'replies',
  'reasoning',
  'calls',
  'results',
  'media',
  'other',
] as const
export type Category = (typeof CATEGORIES)[number]

/** A turn or a round in the list of sizes. */
export interface TokenBar {
  readonly name: string
  readonly turn: number
  readonly row: number
  readonly tokens: number
  /** By category. Absent for a round. */
  readonly parts?: readonly number[]
}

export interface RecordedView extends Usage {
  readonly requests: number
  /** In US dollars, of the replies whose cost is known, and the number of the others. */
  readonly cost: number
  readonly unpriced: number
  /** The date of the prices. */
  readonly pricesOf: string
}

export interface TokenView {
  readonly total: number
  readonly window: number
  readonly limit: number
  readonly goal: number
  readonly categories: readonly number[]
  readonly tools: readonly { readonly name: string; readonly calls: number; readonly tokens: number }[]
  readonly turns: readonly TokenBar[]
  readonly rounds: readonly TokenBar[]
  /** Usage that the agent wrote into its file: input of the last request, output of all requests. */
  readonly recorded?: RecordedView | undefined
}

export interface PlanView extends Pick<PlanBase, 'changesAnything' | 'fits' | 'tokens' | 'cache'> {
  readonly why: readonly string[]
  readonly steps: readonly { readonly strategy: string; readonly saves: number; readonly detail: string }[]
  readonly messages: { readonly before: number; readonly after: number }
  /** The row before which it would cut; -1: it cuts nowhere. */
  readonly cutRow: number
}

export interface EditView {
  readonly place: string
  readonly what: string
  /** -1: no message of the thread. */
  readonly row: number
  readonly difference: readonly Stretch[]
}

export interface EditsView {
  readonly total: number
  readonly edits: readonly EditView[]
}

/** A stretch of a comparison: kept, removed or added. */
export type Stretch = readonly ['=' | '-' | '+', string]

export interface ExplainView extends ErrorExplanation {
  /** Where it is in the open conversation. */
  readonly rows: readonly number[]
  readonly words: readonly ProviderWords[]
}
