/**
 * What a transcript is made from besides its messages.
 */
import type { JsonObject } from './json.ts'
import type { KeyFlags } from './key-index.ts'
import type { Policy } from './policy.ts'
import type { Transcript } from './transcript.ts'
import type { WorkLimit } from './work-limit.ts'

/** A message and an index in its list of parts. */
export type Place = readonly [message: number, index: number]

/** What is known about a history beyond its messages. */
export interface TranscriptOptions {
  /** The request body that holds the history. */
  readonly request?: JsonObject | undefined
  /** The last round may still be answered. */
  readonly inProgress?: boolean | undefined
  readonly policy?: Policy | undefined
  /** A history of another dialect is to be converted. */
  readonly convert?: boolean | undefined
  /** The first place that this repair has changed in a way that a signature covers. */
  readonly editedFrom?: Place | undefined
  readonly before?: ReadBefore | undefined
  /** The keys that the rules look for. */
  readonly keys?: KeyFlags | undefined
  /** Ends the reading of a history with too many parts for its size. */
  readonly limit?: WorkLimit | undefined
}

/** A history before an edit. Its transcript is not used again: its parts belong to the next one. `origins`: for each message its index there, or -1. */
export interface ReadBefore {
  readonly transcript: Transcript
  readonly origins: readonly number[]
}
