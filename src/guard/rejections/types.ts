/**
 * The shapes of a rejection, before and after it is understood.
 */

import type { FieldPath } from './unknown-fields.ts'

/** A provider's answer that is not an answer: an error status, or the error event of a stream as `body`. */
export interface RejectedResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: string
}

/**
 * `history` edit it · `size` make it shorter · `output-limit` ask for a shorter answer · `reasoning` reasoning that is not accepted (any more) ·
 * `stale-id` ids the provider does not know · `undeclared-tool` the history uses tools that the request does not declare ·
 * `own-output` the model's own output was bad · `busy` wait · `other` nothing that an edit or a wait would help.
 */
export type RejectionKind =
  | 'history'
  | 'size'
  | 'output-limit'
  | 'reasoning'
  | 'stale-id'
  | 'undeclared-tool'
  | 'model-output'
  | 'retryable'
  | 'other'

export interface Rejection {
  /** The rule that the text leads to; for what no rule is about, the name of the class (`prompt-too-long`, `rate-limited`, `auth`). */
  readonly rule?: string
  readonly kind: RejectionKind
  /** Ids the text names: of calls, items, responses. */
  readonly ids: readonly string[]
  /** Fields of messages that the provider names as unknown to it. */
  readonly fields?: readonly FieldPath[]
  /** The place in the history the text names. */
  readonly message?: number
  /** For sizes, in tokens, as far as the text says. */
  readonly limit?: number
  readonly actual?: number
  /** For `output-limit`: the largest answer that may be asked for, in tokens, as far as the text says. */
  readonly output?: number
  /** For `busy`: what the provider asks to wait, in ms. */
  readonly wait?: number
  /** The innermost text. */
  readonly text: string
}
