/**
 * A request and its answer between the gateway's core and what carries them: `node:http`, or web objects.
 */
import type { ByteSource } from '../guard/transport.ts'
import type { HeaderList } from './headers.ts'
import type { MemoryHold } from './memory-budget.ts'

/** A request as it came. */
export interface Incoming {
  readonly method: string
  /** The target of the request line, as it stood there. */
  readonly target: string
  readonly headers: HeaderList
  /** All of the body, counted as it arrives; rejects with a `Problem` where it is too large or too slow. */
  body(hold: MemoryHold): Promise<Uint8Array>
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal
}

/** What goes back. */
export interface Outgoing {
  readonly status: number
  readonly statusText?: string
  readonly headers: string[]
  readonly body?: Uint8Array | ByteSource
  /** The answer was too large to be read on its way: it is passed on, and cannot be stored. */
  readonly unread?: boolean
  /** Called once, when the response was sent or is not needed any more. `broke`: the upstream broke off, not the client. */
  over?: (whole: boolean, broke?: boolean) => void
}
