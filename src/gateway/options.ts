/** Options and limits of a gateway. */
import type { GuardOptions } from '../guard/transport.ts'
import type { Store } from '../session/index.ts'
import type { Compactor } from './api.ts'
import type { KeyOptions } from './protection/index.ts'
import type { UpstreamOptions } from './upstreams.ts'
import type { Viewer } from './viewer.ts'

/** The limits of a gateway with their defaults. */
export const LIMITS = {
  /** Bytes of one body, as it arrived and decompressed. */
  maxBodyBytes: 64 * 1024 * 1024,
  /** Bytes that all requests hold together: bodies (as they arrive, decompressed, repaired) and collected responses. */
  maxBufferedBytes: 512 * 1024 * 1024,
  /** Bytes of a response that is not streamed. A larger one passes unread, or is an error if it must be stored. */
  maxResponseBytes: 64 * 1024 * 1024,
  /** Bytes of the headers of one request. */
  maxHeaderBytes: 32 * 1024,
  /** Milliseconds until the headers of a request must have arrived. */
  headersTimeoutMs: 30_000,
  /** Milliseconds until the whole request must have arrived. */
  requestTimeoutMs: 120_000,
  /** Milliseconds until an upstream must have sent its headers. */
  upstreamTimeoutMs: 600_000,
  /** Milliseconds without a byte inside a response. */
  idleTimeoutMs: 300_000,
  /** Milliseconds until a connection to an upstream must be open. */
  connectTimeoutMs: 10_000,
  /** Milliseconds that one call of the store may take; 0: no limit. */
  storeTimeoutMs: 5_000,
  /** Requests per minute for each key without a limit of its own; 0: no limit. */
  perMinute: 600,
}

/** Limits of a gateway, in bytes, milliseconds and numbers. */
export type Limits = { readonly [K in keyof typeof LIMITS]: number }

/** One line of the log: names, counts and times, never content. */
export type LogLine = Readonly<Record<string, unknown>> & {
  /** `debug`: a probe or a scrape that was answered. */
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly event: string
}

/** Options of a gateway. */
export interface GatewayOptions {
  /** By name: the first segment of the path, or the first label of the host. */
  readonly upstreams: Readonly<Record<string, UpstreamOptions>>
  /** The upstream of plain `/v1/…`. Default: by the path. */
  readonly default?: string
  readonly guard?: Omit<GuardOptions, 'onEvent' | 'onReply' | 'provider'>
  /** Stores sessions; without it there are none. */
  readonly store?: Store
  /** Compacts histories of sessions. */
  readonly compactor?: Compactor
  /** Shows sessions and requests in a browser, under `/suture/viewer/`. */
  readonly viewer?: Viewer
  /** Record requests without a session id as well, under an id derived from the beginning of the conversation. */
  readonly derive?: boolean
  /** Keys of this gateway; with any, every request needs one. */
  readonly keys?: readonly KeyOptions[]
  /** Host names of this gateway in addition to loopback; only checked if no key is needed. */
  readonly hosts?: readonly string[]
  readonly limits?: Partial<Limits>
  readonly log?: (line: LogLine) => void
}
