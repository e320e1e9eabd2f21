/** The types of a rejection, before and after its classification. */

import type { FieldPath } from './unknown-fields.ts'

/** A provider's response that is not a reply: an error status, or the error event of a stream as `body`. */
export interface RejectedResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: string
}

/**
 * What helps: `history` edit it · `size` make it shorter · `output-limit` request a shorter reply · `reasoning` remove
 * or add reasoning · `stale-id` remove ids that the provider does not know · `undeclared-tool` declare tools that the
 * history uses · `model-output` send again, the model's output was bad · `retryable` wait · `other` neither an edit nor
 * a wait.
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

/** `certain`: the text or the place says so. `likely`: a word or the status does. */
export type Confidence = 'certain' | 'likely' | 'unknown'

/** A rejection after its classification. */
export interface Rejection {
  /** The rule that the text leads to, or the name of the class (`prompt-too-long`, `rate-limited`, `auth`). */
  readonly rule?: string
  readonly kind: RejectionKind
  /** How sure the rule and the kind are. Nothing is done automatically about `unknown`. */
  readonly confidence: Confidence
  /** Ids in the text: of calls, items, responses. */
  readonly ids: readonly string[]
  /** Fields of messages that the provider names as unknown to it. */
  readonly fields?: readonly FieldPath[]
  /** The place in the history that the text names: the index of a message, and the path inside it. */
  readonly message?: number
  readonly part?: string
  /** For sizes: tokens, if the text names them. */
  readonly limit?: number
  readonly actual?: number
  /** For `output-limit`: the largest output that can be requested, in tokens, if the text names it. */
  readonly output?: number
  /** For `retryable`: how long the provider asks to wait, in ms. */
  readonly wait?: number
  /** The innermost text. */
  readonly text: string
}
