/**
 * Options of the methods of a session, each with the table that it is checked against.
 */
import { type Cause, causes } from '../core/index.ts'
import { type Check, type OptionTable, wordsOf } from '../core/options.ts'
import { APPEND_OPTIONS, type AppendOptions } from './append-records.ts'
import type { View } from './view.ts'

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

export interface UndoOptions extends ChangeOptions {
  readonly by?: string
  readonly why?: string
}

export const UNDO_OPTIONS: OptionTable<UndoOptions> = { ...CHANGE_OPTIONS, by: 'string', why: 'string' }

export const FORK_OPTIONS: OptionTable<{ operationId?: string }> = { operationId }
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
