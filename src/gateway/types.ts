/**
 * A request and its answer between the gateway's core and what carries them: `node:http`, or web objects.
 */
import type { Source } from '../guard/core.ts'
import type { Heads } from './headers.ts'
import type { Hold } from './hold.ts'

/** A request as it came. */
export interface Incoming {
  readonly method: string
  /** The target of the request line, as it stood there. */
  readonly target: string
  readonly headers: Heads
  /** All of the body, counted as it arrives; rejects with a `Problem` where it is too large or too slow. */
  body(hold: Hold): Promise<Uint8Array>
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal
}

/** What goes back. */
export interface Outgoing {
  readonly status: number
  readonly statusText?: string
  readonly headers: string[]
  readonly body?: Uint8Array | Source
  /** The answer was too large to be read on its way: it is passed on, and cannot be stored. */
  readonly unread?: boolean
  /** Told once when all of it was taken or nobody takes it any more. `broke`: because the upstream broke off, not because the client left. */
  over?: (whole: boolean, broke?: boolean) => void
}
