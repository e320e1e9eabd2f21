/** One attempt to save a rejected request: what was sent, why it was rejected, what was tried before. */
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
  /** `fingerprint`s of everything sent for this request so far: none of it is sent again. */
  readonly sent?: readonly string[]
  /** Shrink decisions and originals; shared by all requests of one guard. */
  readonly memory: Memory
  readonly options: RecoverySettings
}

/** A request before it is sent. */
export type RequestToSend = Omit<Attempt, 'rejection' | 'tried' | 'sent'>

export interface Recovered {
  readonly id: string
  /** The same reference: unchanged (`resend` and `wait` only). */
  readonly body: Readonly<Record<string, unknown>>
  /** All headers to send, if they changed. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds to wait before sending. */
  readonly wait?: number
  /** Counts and ids, never content. */
  readonly report: Readonly<Record<string, unknown>>
  /** Called when the provider has accepted the request: later requests of the conversation are sent the same way. */
  readonly accepted?: () => void
}

/** One recovery: a pure function of the attempt. */
export interface Recovery {
  readonly id: RecoveryId
  /** How often for one request. */
  readonly maxTimes: number
  /** What it would send; undefined: it does not apply. */
  try(attempt: Attempt): Recovered | undefined | Promise<Recovered | undefined>
}

const RECOVERIES = [
  'repair',
  'bind-reasoning',
  'strip-reasoning',
  'disable-thinking',
  'forget-ids',
  'declare-tools',
  'lower-output',
  'shrink',
  'summarize',
  'drop-media',
  'drop-round',
  'drop-rounds',
  'wait',
  'resend',
] as const
/** The name of a recovery. */
export type RecoveryId = (typeof RECOVERIES)[number]

/** How often a recovery was tried for this request. */
export function timesTried({ tried }: Attempt, id: RecoveryId): number {
  return tried.filter((one) => one === id).length
}

/**
 * Returns a summary of messages that are about to be removed, as plain text. If it is empty, fails or is longer than
 * what it replaces, nothing changes.
 */
export type Summarizer = (
  messages: readonly unknown[],
  about: { readonly provider: string; readonly model: string | undefined; readonly dialect: string },
) => string | Promise<string>

/** Which recoveries a guard may use, and how. */
export interface RecoveryOptions {
  /** Recoveries that are switched off. */
  readonly disabled?: readonly RecoveryId[]
  /**
   * Opt-in: rounds may be removed: one that is most of the excess (`drop-round`), otherwise the oldest (`drop-rounds`).
   * A note with a digest replaces them; no model is asked. Default: false.
   */
  readonly dropRounds?: boolean
  /** Opt-in: rounds may be replaced by the summary that this function returns, as with `dropRounds`. */
  readonly summarize?: Summarizer
  /**
   * Images, and files inside results, may be replaced by a note if the request is too large or the model accepts no
   * images. Default: false.
   */
  readonly shrinkMedia?: boolean
  /**
   * A sentence added to the notice of a shrunk result, for example how to get the original; `{id}`: the id of the call.
   */
  readonly hint?: string
  /** Tokens of a text. Default: bytes / 4. */
  readonly estimate?: (text: string) => number
  /**
   * Share of the limit that is freed in addition when results are shrunk, so that a cached prefix is lost less often.
   * Default: 0.1; 0: just enough.
   */
  readonly headroom?: number
  /** Tokens of the context window, if the rejection does not name them. Default: by the model's name. */
  readonly window?: number
  /** Maximum number of recoveries for one request. Default: 6. */
  readonly maxRecoveries?: number
  /** Longest wait in milliseconds. If the provider asks for more, the caller gets its error. Default: 60,000. */
  readonly maxWaitMs?: number
  /** Random numbers from 0 to 1 for the jitter of waits. Default: `Math.random`. */
  readonly random?: () => number
}

/** Options of recoveries, with the repair policy of the guard. */
export interface RecoverySettings extends RecoveryOptions {
  readonly policy?: Partial<Policy>
}

export const RECOVERY_OPTIONS: OptionTable<RecoveryOptions> = {
  disabled: wordsOf('recovery', () => RECOVERIES),
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
