/**
 * What stands in a record's body. Written once and never rewritten: every field here is a promise to files of years ago.
 */
import { type Cause, isObject, jsonText, parseJson, SutureError } from '../core/index.ts'

/** Who wrote a message. */
export interface Author {
  readonly provider?: string
  readonly model?: string
}

/** The first record of a log also has `dialect`: in which one its messages are. */
export interface MessageBody {
  readonly message: unknown
  readonly by?: Author
  /** Made up for a call that has no result, and why. */
  readonly synthetic?: readonly Cause[]
  /** A result that came late: it stands in place of the made-up one at this position. */
  readonly insteadOf?: number
  /** The answer broke off. */
  readonly incomplete?: true
  /** The message stands at the end of the body, in so many letters as its client wrote it. */
  readonly asSent?: number
  /** Not part of the conversation before it is accepted. */
  readonly proposed?: true
  readonly at?: string
}

/** A run of what the view begins with: messages [from, to) of the raw line, or of what a patch record brought (0: this very one). */
export type Item = readonly [from: number, to: number] | readonly [from: number, to: number, patch: number]

/**
 * The view's beginning, replaced. Says what stands there now by reference: what was there is in the log already, and nothing is stored twice.
 */
export interface PatchBody {
  readonly by: string
  readonly why: string
  /** The position it was made at. */
  readonly upTo: number
  /** So many raw messages are behind `items`; the ones after them follow as they are. */
  readonly frozen: number
  readonly items: readonly Item[]
  readonly insert: readonly unknown[]
  /** What else is to be known of it: a receipt. */
  readonly detail?: unknown
  readonly at?: string
}

/** The inverse of a patch or of a revert: the one that stands at this position no longer counts. */
export interface UndoBody {
  readonly by: string
  readonly why: string
  readonly undoes: number
  /** The last so many raw messages are an open round then. */
  readonly tail: number
  readonly at?: string
}

export type MarkBody = { readonly at?: string } & (
  | { readonly mark: 'begun' | 'ended' | 'failed' | 'note'; readonly detail?: unknown }
  | {
      readonly mark: 'aborted'
      readonly cause: Cause
      /** Calls that ended otherwise than the rest, by `callKey`. */
      readonly calls?: Readonly<Record<string, Cause>>
      /** Calls that wait for a person, by `callKey`. */
      readonly waits?: readonly string[]
      readonly detail?: unknown
    }
  /** Of the raw line so many messages stay, and the last `tail` of them are an open round. */
  | {
      readonly mark: 'reverted'
      readonly turn: number
      readonly keep: number
      readonly spans: readonly (readonly [number, number])[]
      readonly tail: number
    }
  | { readonly mark: 'forked'; readonly from: string; readonly head: number; readonly hash: string }
  | { readonly mark: 'accepted'; readonly op: string }
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
  try {
    const value: unknown = parseJson(text)
    return isObject(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
