/**
 * What the page asks the worker, and what it gets. Everything here is plain data that survives `postMessage`.
 */
import type { Cell, SubAgent } from './row-types.ts'

export type { Cell, PartView, SubAgent } from './row-types.ts'

export type Severity = 'error' | 'warning'
export type Status = 'same' | 'changed' | 'added' | 'removed' | 'excluded' | 'moved'

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
  calls: 128,
  fork: 256,
} as const

export interface Row {
  readonly at: number
  readonly status: Status
  readonly turn: number
  readonly round: number
  readonly startsTurn: boolean
  /** Part of a round with calls: where the bracket begins, goes on and ends. */
  readonly rail?: 'start' | 'middle' | 'end'
  readonly stored?: Cell
  /** Absent if it is the same as what is stored. */
  readonly next?: Cell
  readonly because?: string
  readonly recordType?: string
  /** Lines of the file it comes from. */
  readonly lines?: readonly [number, number]
  /** Indexes in `Overview.findings`. */
  readonly findings: readonly number[]
  readonly compaction?: string
  readonly subAgents?: readonly SubAgent[]
  /** Tokens as the file records them for this reply. */
  readonly recorded?: Usage
}

/** How a provider words a rejection. `of` is its section in docs/data/rejections.json, `by` its name. */
export interface ProviderWords {
  readonly of: string
  readonly by: string
  readonly text: string
}

export interface FindingView {
  readonly index: number
  readonly kind: 'provider' | 'load' | 'salvage'
  readonly rule: string
  readonly severity: Severity
  readonly message: string
  readonly place: string
  readonly round?: string
  readonly row: number
  readonly line?: number
  readonly repair: 'safe' | 'lossy' | 'none'
  readonly says?: string
  readonly why?: string
  /** What the repair does, in words. */
  readonly repairs?: string
  /** How providers word the rejection. */
  readonly words: readonly ProviderWords[]
}

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
  /** Index of the stored message, -1 if it is only in the next request; and the other way round. */
  readonly stored: Int32Array
  readonly next: Int32Array
  readonly folds: readonly Fold[]
  /** Boundaries that the agent wrote. */
  readonly compactions: readonly { readonly row: number; readonly about: string }[]
  readonly findings: readonly FindingView[]
  /** Errors that stay after the repair, and the first of them in words. */
  readonly remaining: number
  readonly stays: readonly { readonly rule: string; readonly message: string }[]
  readonly edits: number
  readonly reach?: { readonly included: number; readonly total: number }
  readonly dialect: string
  readonly provider: string
  readonly model?: string
  readonly window: number
  readonly limit: number
  readonly total: number
  readonly turnCount: number
  readonly verdict: string
}

export interface ConversationInfo {
  readonly id: string
  readonly title?: string
  readonly dialect: string
  readonly provider: string
  readonly model?: string
  readonly messages: number
}

export interface DocumentInfo {
  readonly name: string
  readonly format?: string
  readonly formatTitle?: string
  readonly version?: string
  readonly writes: boolean
  readonly blocked?: string
  readonly bytes: number
  readonly conversations: readonly ConversationInfo[]
  readonly unknown: readonly string[]
  readonly undoable: number
}

export interface ViewOptions {
  readonly conversation: string
  readonly provider?: string
  readonly model?: string
  readonly repaired: boolean
  readonly inProgress?: boolean
}

export interface Usage {
  readonly input: number
  readonly cached: number
  readonly output: number
}

/** What tokens are counted for, in the order of `parts`. */
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

export interface TokenView {
  readonly total: number
  readonly window: number
  readonly limit: number
  readonly goal: number
  readonly categories: readonly { readonly name: string; readonly tokens: number }[]
  readonly tools: readonly { readonly name: string; readonly calls: number; readonly tokens: number }[]
  readonly turns: readonly {
    readonly turn: number
    readonly row: number
    readonly rounds: number
    readonly parts: readonly number[]
  }[]
  readonly rounds: readonly { readonly name: string; readonly row: number; readonly tokens: number }[]
  readonly recorded: readonly { readonly row: number; readonly usage: Usage }[]
}

export interface PlanView {
  readonly acts: boolean
  readonly why: readonly string[]
  readonly steps: readonly { readonly strategy: string; readonly saves: number; readonly detail: string }[]
  readonly before: number
  readonly after: number
  readonly limit: number
  readonly goal: number
  readonly fits: boolean
  readonly cacheMessages: number
  readonly cacheTokens: number
  readonly messagesBefore: number
  readonly messagesAfter: number
  readonly cutRow: number
}

export interface EditView {
  readonly place: string
  readonly what: string
  readonly rule?: string
  readonly row: number
  readonly before: string
  readonly after: string
}

/** A stretch of a comparison: kept, removed or added. */
export type Stretch = readonly ['=' | '-' | '+', string]

export interface Hit {
  readonly row: number
  readonly count: number
}

export interface ExplainView {
  readonly rule?: string
  readonly kind: string
  readonly says: string
  readonly why: string
  readonly repair: string
  readonly page: string
  readonly ids: readonly string[]
  /** Where it is in the open conversation. */
  readonly rows: readonly number[]
  readonly words: readonly ProviderWords[]
}

/** The worker's functions by name. */
export interface Api {
  open(input: {
    readonly name: string
    readonly bytes: Uint8Array
    readonly siblings?: Readonly<Record<string, Uint8Array>>
  }): DocumentInfo
  openSession(input: {
    readonly id: string
    readonly stored: readonly unknown[]
    readonly next: readonly unknown[]
    readonly provider: string
    readonly dialect: string
    readonly model?: string
  }): DocumentInfo
  view(options: ViewOptions): Overview
  rows(from: number, to: number): readonly Row[]
  fullText(row: number, side: 'stored' | 'next', part: number): string
  raw(row: number, side: 'stored' | 'next'): string
  find(text: string): readonly Hit[]
  tokens(): TokenView
  plan(force: boolean): PlanView
  edits(limit: number): readonly EditView[]
  difference(before: string, after: string): readonly Stretch[]
  compareRow(row: number): readonly Stretch[]
  apply(only: readonly string[] | undefined): DocumentInfo
  undo(): DocumentInfo
  download(what: 'file' | 'patch'): { readonly name: string; readonly bytes: Uint8Array }
  copy(as: 'request' | 'curl' | 'test'): string
  explain(text: string): ExplainView
  /** The explanation of a rule, and the error texts of providers, those of this provider first. */
  rule(id: string, provider: string): Pick<FindingView, 'says' | 'why' | 'words' | 'repairs'>
  providers(): readonly string[]
}
