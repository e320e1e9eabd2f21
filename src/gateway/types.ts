/** A request and its response, independent of `node:http` and web objects. */
import type { ByteSource } from '../guard/transport.ts'
import type { HeaderList } from './http/index.ts'
import type { MemoryHold } from './protection/index.ts'

/** A request as it came. */
export interface Incoming {
  readonly method: string
  /** The target of the request line, unchanged. */
  readonly target: string
  readonly headers: HeaderList
  /** The whole body, counted as it arrives. Rejects with a `GatewayError` if it is too large or too slow. */
  body(hold: MemoryHold): Promise<Uint8Array>
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

/** The response. */
export interface Outgoing {
  readonly status: number
  readonly statusText?: string
  readonly headers: string[]
  readonly body?: Uint8Array | ByteSource
  /** The response was too large to be inspected: it is passed on, and cannot be stored. */
  readonly unread?: boolean
  /** Called once, when the response was sent or is not needed. `broke`: by the upstream, not the client. */
  over?: (whole: boolean, broke?: boolean) => void
}
