/**
 * The bodies of records. Stored records are never rewritten, so every field here must stay readable. A new kind of
 * record or mark, or a field that changes the meaning of others, needs a new `RECORD_VERSION`; so written bodies have
 * it as `version`.
 */
import { type Cause, isObject, jsonText, orUndefined, type Patch, parseJson, SutureError } from '../core/index.ts'

import type { Difference } from './stored-difference.ts'

/** The records that this version reads: a body with a higher `version` is of a later one. Absent: 1. */
export const RECORD_VERSION = 1

/** Takes the place of a message that cannot be read, so that later indexes do not change. */
export const UNREADABLE: unknown = Symbol('unreadable')

/** The provider and model that wrote a message. */
export interface Author {
  readonly provider?: string
  readonly model?: string
}

/** The first record of a log also has `dialect`: that of all its messages. */
export interface MessageBody {
  readonly message: unknown
  readonly by?: Author
  /** A synthetic result for a call that has none, and why. */
  readonly synthetic?: readonly Cause[]
  /** A late result: it replaces the synthetic one at this position. */
  readonly insteadOf?: number
  /** The answer is incomplete. */
  readonly incomplete?: true
  /** The message is at the end of the body, in this many characters as its client wrote it. */
  readonly asSent?: number
  /** Not part of the conversation until it is accepted. */
  readonly proposed?: true
  readonly at?: string
}

/** Messages [from, to) of the raw line, or of those that the patch record at this position added. */
export type Item = readonly [from: number, to: number] | readonly [from: number, to: number, patch: number]

/** Messages of the line that leave it, and stay in the log. */
export interface Replaced {
  /** Where they are in the line, and how many; 0: nothing is removed. */
  readonly index: number
  readonly count: number
  /** Positions in the log of the first and the last of them; with a count of 0 of the message that they precede. */
  readonly from: number
  readonly to: number
  /** Number of accepted messages in their place. */
  readonly by: number
  /** Positions of messages that were replaced before and come back, before the accepted ones. */
  readonly back?: readonly (readonly [number, number])[]
}

/** A patch over the messages of the line, with earlier patches applied. Top-level splices only. */
export interface PatchBody {
  readonly by: string
  readonly why: string
  /** The head of the session when the patch was made. */
  readonly upTo: number
  readonly patch: Patch
  /** More about the change: a receipt. */
  readonly detail?: unknown
  readonly at?: string
}

/** Undoes the patch or revert at this position. */
export interface UndoBody {
  readonly by: string
  readonly why: string
  readonly undoes: number
  /** Number of raw messages at the end that are an open round afterward. */
  readonly tail: number
  readonly at?: string
}

/** The messages of a proposal join the conversation, or the conversation is revised. */
export interface AcceptedBody {
  readonly mark: 'accepted'
  readonly op?: string | undefined
  /** The messages that the first accepted ones take the place of, in order; the others follow at the end. */
  readonly replaces?: readonly Replaced[]
  /** With `replaces`: the number of messages at the end of the line that are an open round afterward. */
  readonly tail?: number
  /** System prompt and tools of the turn, if they are others than before: whole, or how they differ from another mark. */
  readonly settings?: { readonly value: unknown } | Difference
}

/** The body of a record that marks an event and has no message. */
export type MarkBody = { readonly at?: string } & (
  | { readonly mark: 'begun' | 'ended' | 'failed' | 'note'; readonly detail?: unknown }
  | {
      readonly mark: 'aborted'
      readonly cause: Cause
      /** Calls with another cause, by `callKey`. */
      readonly calls?: Readonly<Record<string, Cause>>
      /** Calls that wait for approval, by `callKey`. */
      readonly waits?: readonly string[]
      readonly detail?: unknown
    }
  /** The first `keep` raw messages stay; the last `tail` of them are an open round. */
  | {
      readonly mark: 'reverted'
      readonly turn: number
      readonly keep: number
      readonly spans: readonly (readonly [number, number])[]
      readonly tail: number
    }
  /** The first record of a branch: like `reverted`, for what it shares with the session `from`. */
  | {
      readonly mark: 'forked'
      readonly from: string
      readonly turn?: number | undefined
      readonly keep: number
      readonly spans: readonly (readonly [number, number])[]
      readonly tail: number
    }
  | AcceptedBody
  | { readonly mark: 'rejected'; readonly op: string; readonly why: string }
)

/** The JSON text of a body. */
export function encode(body: MessageBody | PatchBody | UndoBody | MarkBody | object): string {
  let text: string | undefined
  try {
    text = jsonText(body)
  } catch (error) {
    throw new SutureError(
      'bad-option',
      `A message cannot be stored because it is not JSON: ${String(error)}. Store plain data.`,
      {},
      { cause: error },
    )
  }
  return text ?? 'null'
}

/** The body as an object; undefined when it cannot be read. */
export function decode(text: string): Record<string, unknown> | undefined {
  const value = orUndefined<unknown>(() => parseJson(text))
  return isObject(value) ? (value as Record<string, unknown>) : undefined
}

/** Throws at a record that only a later version understands: skipped, it would give another conversation. */
export function checkRecordVersion(
  session: string,
  seq: number,
  body: Readonly<Record<string, unknown>> | undefined,
): void {
  const version = body?.['version']
  if (typeof version !== 'number' || version <= RECORD_VERSION) return
  throw new SutureError(
    'store-newer',
    `Session ${session} has a record of version ${version} at position ${seq}, and this version of suture reads version ${RECORD_VERSION}. Update suture in this process; the session is unchanged.`,
    { found: version, known: RECORD_VERSION },
  )
}
