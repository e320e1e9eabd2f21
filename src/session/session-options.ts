/** Options and results of a session and its methods; options with the table that they are checked against. */
import { type Cause, causes } from '../core/index.ts'
import { type Check, type OptionTable, wordsOf } from '../core/options.ts'
import { APPEND_OPTIONS, type AppendOptions } from './append-records.ts'
import type { OpenCall } from './open-round.ts'
import type { Author } from './record.ts'
import type { View, Wiring } from './view.ts'

/** Options of a session. */
export interface SessionOptions extends Wiring {
  /** Write a snapshot every this many records. Default 256. */
  readonly snapshotEvery?: number | undefined
  /** The cause for calls that are open when the session is opened. Default `crashed`. */
  readonly openCallCause?: Cause | undefined
  /** Adds a time to each record. Default: none. The order of records never depends on it. */
  readonly clock?: (() => string) | undefined
  /** Creates operation ids, which must never repeat. Default: random. */
  readonly ids?: (() => string) | undefined
}

/** The state of a session when it was opened. */
export interface Opened {
  /** Calls without a result, and the cause that their synthetic results state. */
  readonly open: readonly OpenCall[]
  /** Operations whose messages were proposed and neither accepted nor rejected. */
  readonly proposed: readonly string[]
  /** The position of the mark of a turn that was begun and did not end. */
  readonly begun?: number
  /** Positions of records that could not be read. `verify` checks all records. */
  readonly damaged: readonly number[]
  /** The owner of the lease, if there is one. */
  readonly owner: string | null
}

/** A message with its metadata in the log. */
export interface LoggedMessage<Message = unknown> {
  readonly position: number
  readonly message: Message
  readonly author?: Author
  readonly synthetic?: readonly Cause[]
  readonly incomplete?: true
  readonly at?: string
  /** The position of the record by which it left the conversation. */
  readonly replacedAt?: number
  /** It left without a replacement, and the reply to it stays: the client added it to one request only. */
  readonly note?: true
}

/** What to send to repeat a turn: the history before it and its prompt. */
export interface Replay<Message = unknown> {
  readonly history: Message[]
  readonly prompt: Message[]
}

export const AT_OPTIONS: OptionTable<{ at?: number }> = { at: 'count' }
export const VIEW_OPTIONS: OptionTable<{ proposedBy?: string }> = { proposedBy: 'name' }

/** Options of `session.replace`. */
export interface ReplaceOptions {
  /** What made the change, and why: `compaction`, `too long`. */
  readonly by: string
  readonly why: string
  /** From the view that the patch was made for. */
  readonly upTo: number
  readonly prefixHash: string
  readonly operationId?: string
  /** Stored in the record, for example a receipt. */
  readonly detail?: unknown
}

/** A view may be spread into the options: it brings `upTo` and `prefixHash`. */
export const REPLACE_OPTIONS: OptionTable<ReplaceOptions & View> = {
  history: 'any',
  source: 'any',
  base: 'any',
  by: 'string',
  why: 'string',
  upTo: 'count',
  prefixHash: 'string',
  operationId: 'id',
  detail: 'any',
}

/** Options of `session.abort`. */
export interface AbortOptions {
  /** The cause for the open calls. Default `aborted-while-running`. */
  readonly cause?: Cause
  /** Calls with another cause, by `callKey`. */
  readonly calls?: Readonly<Record<string, Cause>>
  /** Calls that wait for approval, by `callKey`: they stay open, in `session.waiting`. */
  readonly waits?: readonly string[]
  readonly detail?: unknown
  readonly operationId?: string
}

const eachCause = wordsOf('cause', () => causes)

export const ABORT_OPTIONS: OptionTable<AbortOptions> = {
  cause: causes,
  calls: (value, name) =>
    typeof value === 'object' && value !== null ? eachCause(Object.values(value), name) : 'an object of causes by call',
  waits: 'strings',
  detail: 'any',
  operationId: 'id',
}

/** The expected head, and the id for repeating the operation. */
export type ChangeOptions = Pick<AppendOptions, 'operationId' | 'expectedHead'>

const { operationId, expectedHead } = APPEND_OPTIONS
export const CHANGE_OPTIONS: OptionTable<ChangeOptions> = { operationId, expectedHead }

/** Options of `session.undo`. */
export interface UndoOptions extends ChangeOptions {
  readonly by?: string
  readonly why?: string
}

export const UNDO_OPTIONS: OptionTable<UndoOptions> = { ...CHANGE_OPTIONS, by: 'string', why: 'string' }

export const FORK_OPTIONS: OptionTable<{ operationId?: string }> = { operationId }
export const BRANCH_OPTIONS: OptionTable<{ operationId?: string; empty?: boolean }> = { operationId, empty: 'boolean' }
export const FORGET_OPTIONS: OptionTable<{ withBranches?: boolean }> = { withBranches: 'boolean' }
export const ENTRIES_OPTIONS: OptionTable<{ revisions?: boolean }> = { revisions: 'boolean' }
export const CLAIM_OPTIONS: OptionTable<{ takeOver?: boolean }> = { takeOver: 'boolean' }

/** What `session.mark` writes. */
export const MARKS = ['begun', 'ended', 'failed', 'note'] as const

/** A turn is named by its number; an unknown number is `no-such-turn`. */
export const isTurn: Check = (value) =>
  typeof value === 'number' ? undefined : 'the number of a turn, a whole number from 1'

/** A session, by the methods that other entry points need. */
export const isSession: Check = (value) => {
  const { append, wiring } = (value ?? {}) as { append?: unknown; wiring?: unknown }
  return typeof append === 'function' && typeof wiring === 'object' ? undefined : 'a session'
}
