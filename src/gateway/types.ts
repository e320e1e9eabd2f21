/**
 * A request and its answer between the gateway's core and what carries them: `node:http`, or web objects.
 */
import type { Source } from '../guard/core.ts'
import type { Heads } from './headers.ts'

/** A request as it came. */
export interface Incoming {
  readonly method: string
  /** The target of the request line, as it stood there. */
  readonly target: string
  readonly headers: Heads
  /** All of the body; rejects with a `Problem` where it is too large or too slow. */
  body(): Promise<Uint8Array>
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal
}

/** What goes back. */
export interface Outgoing {
  readonly status: number
  readonly statusText?: string
  readonly headers: string[]
  readonly body?: Uint8Array | Source
  /** Told once when all of it was taken or nobody takes it any more. `broke`: because the upstream broke off, not because the client left. */
  over?: (whole: boolean, broke?: boolean) => void
}
