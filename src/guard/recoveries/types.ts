/**
 * One attempt to save a rejected request: what was sent, why it was rejected, what was tried before.
 */
import type { Policy, Service } from '../../core/index.ts'
import { type OptionTable, wordsOf } from '../../core/options.ts'
import type { Memory } from '../../strategies/shrink-memory.ts'
import type { Rejection } from '../rejections/types.ts'

export interface Attempt {
  /** The parsed body as last sent. */
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  readonly service: Service
  readonly provider: string
  readonly model: string | undefined
  readonly rejection: Rejection
  /** Ids of recoveries tried for this request, in order. */
  readonly tried: readonly string[]
  /** `fingerprint`s of everything sent for this request so far: none of it is ever sent again. */
  readonly sent?: readonly string[]
  /** Shrink decisions and originals; shared by all requests of one guard. */
  readonly memory: Memory
  readonly options: RecoverySettings
}

export interface Recovered {
  readonly id: string
  /** Same reference: unchanged (resend or wait only). */
  readonly body: Readonly<Record<string, unknown>>
  /** All headers to send, where they changed. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds to wait before sending. */
  readonly wait?: number
  /** Counts and ids, never content. */
  readonly report: Readonly<Record<string, unknown>>
  /** To be called once the provider has accepted what is sent: the next request of this conversation is sent that way at once. */
  readonly accepted?: () => void
}

/** One recovery: a pure function of the attempt. */
export interface Recovery {
  readonly id: RecoveryId
  /** How often for one request. */
  readonly maxTimes: number
  /** What it would send; undefined: it has nothing to offer. */
  try(attempt: Attempt): Recovered | undefined | Promise<Recovered | undefined>
}

export type RecoveryId =
  | 'repair'
  | 'bind-reasoning'
  | 'strip-reasoning'
  | 'disable-thinking'
  | 'forget-ids'
  | 'declare-tools'
  | 'lower-output'
  | 'shrink'
  | 'summarize'
  | 'drop-round'
  | 'drop-rounds'
  | 'wait'
  | 'resend'

const RECOVERIES: Readonly<Record<RecoveryId, true>> = {
  repair: true,
  'bind-reasoning': true,
  'strip-reasoning': true,
  'disable-thinking': true,
  'forget-ids': true,
  'declare-tools': true,
  'lower-output': true,
  shrink: true,
  summarize: true,
  'drop-round': true,
  'drop-rounds': true,
  wait: true,
  resend: true,
}

/** Gives a summary of messages that are about to leave the request, as plain text. Empty, failed or longer than what it replaces: nothing changes. */
export type Summarizer = (
  messages: readonly unknown[],
  about: { readonly provider: string; readonly model: string | undefined; readonly dialect: string },
) => string | Promise<string>

export interface RecoveryOptions {
  /** Recoveries that are switched off. */
  readonly disabled?: readonly RecoveryId[]
  /**
   * Opt-in: rounds may leave the request, one that holds most of what is too much (`drop-round`), else the oldest (`drop-rounds`).
   * A note with a digest takes their place; no model is asked.
   */
  readonly dropRounds?: boolean
  /** Opt-in: rounds may leave the request for this summary of them, as with `dropRounds`. */
  readonly summarize?: Summarizer
  /** May images and files inside results be replaced by a note when the request is too large? */
  readonly shrinkMedia?: boolean
  /** How the model gets at what was left out of a result, in one sentence of the notice; `{id}` is the call's. */
  readonly hint?: string
  /** Tokens of a text. Default: bytes / 4. */
  readonly estimate?: (text: string) => number
  /** How much of the limit is made free beside what has to go when results are shrunk, so that a cached prefix is lost seldom. Default 0.1; 0: just enough. */
  readonly headroom?: number
  /** Tokens the model can take, where the caller knows and the rejection does not say. */
  readonly window?: number
  /** How many recoveries one request may have in all. Default 6. */
  readonly maxRecoveries?: number
  /** The longest wait that is still kept to, in ms; asked for more, the provider's error goes back at once. Default 60,000. */
  readonly maxWaitMs?: number
  /** For the jitter of waits: 0 up to 1. Default Math.random. */
  readonly random?: () => number
}

/** Options of a recovery with the repair policy of its guard. */
export interface RecoverySettings extends RecoveryOptions {
  readonly policy?: Partial<Policy>
}

export const RECOVERY_OPTIONS: OptionTable<RecoveryOptions> = {
  disabled: wordsOf('recovery', () => Object.keys(RECOVERIES)),
  dropRounds: 'boolean',
  summarize: 'function',
  shrinkMedia: 'boolean',
  hint: 'string',
  estimate: 'function',
  headroom: 'number',
  window: 'number',
  maxRecoveries: 'count',
  maxWaitMs: 'number',
  random: 'function',
}
