/**
 * Options and limits of a gateway.
 */
import type { GuardOptions } from '../guard/transport.ts'
import type { Store } from '../session/index.ts'
import type { Compactor } from './api.ts'
import type { KeyOptions } from './protection/index.ts'
import type { UpstreamOptions } from './upstreams.ts'
import type { Viewer } from './viewer.ts'

export interface Limits {
  /** Bytes of one body, as it arrived and decompressed. */
  readonly maxBodyBytes: number
  /** Bytes that all requests hold together: bodies as they arrive, decompressed and repaired, and responses that are read completely. */
  readonly maxBufferedBytes: number
  /** Bytes of a response that is not streamed. A larger one is passed on unread, and is an error if it has to be stored. */
  readonly maxResponseBytes: number
  /** Bytes of the headers of one request. */
  readonly maxHeaderBytes: number
  /** Milliseconds until the headers of a request must have arrived. */
  readonly headersTimeoutMs: number
  /** Milliseconds until the whole request must have arrived. */
  readonly requestTimeoutMs: number
  /** Milliseconds until an upstream must have sent its headers. */
  readonly upstreamTimeoutMs: number
  /** Milliseconds without a byte inside a response. */
  readonly idleTimeoutMs: number
  /** Milliseconds until a connection to an upstream must be open. */
  readonly connectTimeoutMs: number
  /** Milliseconds that one call of the store may take; 0: no limit. */
  readonly storeTimeoutMs: number
  /** Requests per minute for each key without a limit of its own; 0: no limit. */
  readonly perMinute: number
}

export const LIMITS: Limits = {
  maxBodyBytes: 64 * 1024 * 1024,
  maxBufferedBytes: 512 * 1024 * 1024,
  maxResponseBytes: 64 * 1024 * 1024,
  maxHeaderBytes: 32 * 1024,
  headersTimeoutMs: 30_000,
  requestTimeoutMs: 120_000,
  upstreamTimeoutMs: 600_000,
  idleTimeoutMs: 300_000,
  connectTimeoutMs: 10_000,
  storeTimeoutMs: 5_000,
  perMinute: 600,
}

/** One line of the log: names, counts and times, never content. */
export type LogLine = Readonly<Record<string, unknown>> & {
  readonly level: 'info' | 'warn' | 'error'
  readonly event: string
}

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
