/**
 * The guard over bytes, headers and a `send`: what a transport provides and what it gets. `fetch` is one transport, the
 * gateway the other.
 */
import type { JsonObject } from '../core/index.ts'
import type { BodyData } from './body-text.ts'
import type { Endpoint } from './endpoint.ts'
import type { GuardLevel, Listener } from './options.ts'
import type { ByteSource } from './streams/index.ts'

export { isInvokePath } from '../dialects/addresses.ts'
export { historyIn, storedConversationKey } from '../dialects/request-fields.ts'
export type { ProviderId } from '../providers/index.ts'
export type { BodyData } from './body-text.ts'
export { parsedSize, valuesIn } from './body-values.ts'
export { type Endpoint, endpointOf, providerNamed } from './endpoint.ts'
export { exchange } from './exchange.ts'
export { type GuardLevel, type GuardOptions, ignoreOutcome, levelOf, resolveOptions, type Settings } from './options.ts'
export { within } from './pause.ts'
export { parseText, repairTargetFor } from './repair-body.ts'
export type { ByteSource, CollectedBytes } from './streams/index.ts'
export { countingTokens, isBlank, isNoResponse, streamCut, whenLate } from './streams/index.ts'

/** Headers of a request, by lower-case name. */
export interface HeaderView {
  get(name: string): string | null
  all(): Readonly<Record<string, string>>
}

/** A request that has an endpoint. */
export interface GuardRequest {
  readonly endpoint: Endpoint
  readonly path: string
  readonly headers: HeaderView
  readonly body: BodyData
  readonly level: GuardLevel
  readonly signal?: AbortSignal | undefined
  /** The parsed body, if it was parsed already. */
  readonly parsed?: JsonObject | undefined
  /** The body as text, if the transport can decode it at lower cost than a `TextDecoder`. */
  decode?(): string
  /** Parses the body just far enough to find it valid, if that costs less. Undefined: parse it in full. */
  precheck?(): JsonObject | undefined
  /** Counts the memory of the parsed body from now on. False: it never fits. Throws if it does not fit now. */
  reserve?(bytes: number): boolean
  /** The bytes are signed: the provider would reject changed ones. */
  readonly signed?: boolean
  /** Identifies the caller, for what is kept between requests. Default: the credential in the headers. */
  scope?(): string
  /** Gets the events of this request, in addition to `onEvent`. */
  readonly listener?: Listener | undefined
}

/** What is sent to the provider. `body`: the original if it was not changed. `headers`: all, if one changed. */
export interface OutgoingRequest {
  readonly body: BodyData
  readonly changed: boolean
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** A signal instead of the caller's, if an attempt may be aborted early: also aborted on an idle timeout. */
  readonly signal?: AbortSignal | undefined
}

export interface UpstreamResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: ByteSource
}

export type Send<U extends UpstreamResponse = UpstreamResponse> = (sending: OutgoingRequest) => Promise<U>

/** The response for the caller. */
export interface GuardResponse<U extends UpstreamResponse = UpstreamResponse> {
  /** The upstream response whose status and headers it has. */
  readonly upstream: U
  /** Absent: the upstream's own body, untouched. */
  readonly body?: ByteSource | undefined
  /** All bytes, if they are available at once. */
  readonly bytes?: Uint8Array | undefined
  /** It was too long to be read: nothing was inspected, and `body` has the bytes as they arrive. */
  readonly unread?: boolean | undefined
  /** Headers that report what was done. */
  readonly addedHeaders: Readonly<Record<string, string>>
}
