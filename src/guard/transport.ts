/**
 * The guard over bytes, headers and a `send`: what its skins have to bring and what they get. `fetch` is one skin, the gateway the other.
 */
import type { JsonObject } from '../core/index.ts'
import type { BodyData } from './body-text.ts'
import type { ByteSource } from './byte-source.ts'
import type { Endpoint } from './endpoint.ts'
import type { Listener, Mode } from './options.ts'

export { historyIn, instructionsIn, storedConversationKey } from '../dialects/request-fields.ts'
export type { ProviderId } from '../providers/index.ts'
export type { BodyData } from './body-text.ts'
export type { ByteSource, CollectedBytes } from './byte-source.ts'
export { isNoResponse, streamCut } from './connection-errors.ts'
export { countingTokens } from './count-tokens.ts'
export { type Address, type Endpoint, endpointOf, needsBody, providerNamed } from './endpoint.ts'
export { exchange } from './exchange.ts'
export { type GuardOptions, ignoreOutcome, type Mode, modeOf, resolveOptions, type Settings } from './options.ts'
export { parseBody, repairTargetFor } from './repair-body.ts'

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
  readonly mode: Mode
  readonly signal?: AbortSignal | undefined
  /** The parsed body, where somebody had to look into it already. */
  readonly parsed?: JsonObject | undefined
  /** The body read as far as it takes to find it valid, where a skin can do that for less; undefined: read it in full. */
  precheck?(): JsonObject | undefined
  /** The bytes are signed: the provider would reject changed ones. */
  readonly signed?: boolean
  /** Who asks, for what is kept between requests. Default: by the credential in the headers. */
  scope?(): string
  /** Gets the events of this request, in addition to `onEvent`. */
  readonly listener?: Listener | undefined
}

/** What goes to the provider. `body` is what came when nothing was changed; `headers` are all of them, where they changed. */
export interface OutgoingRequest {
  readonly body: BodyData
  readonly changed: boolean
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** In the place of the caller's signal, where a try may have to be given up: aborted too when nothing comes for too long. */
  readonly signal?: AbortSignal | undefined
}

export interface UpstreamResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: ByteSource
}

export type Send<U extends UpstreamResponse = UpstreamResponse> = (sending: OutgoingRequest) => Promise<U>

/** What goes back to the caller. */
export interface GuardResponse<U extends UpstreamResponse = UpstreamResponse> {
  /** Whose status and headers it has. */
  readonly upstream: U
  /** Absent: the upstream's own, not touched. */
  readonly body?: ByteSource | undefined
  /** Where all of it is there at once. */
  readonly bytes?: Uint8Array | undefined
  /** It was too long to be read: nothing of it was looked at, and `body` has the bytes as they come. */
  readonly unread?: boolean | undefined
  /** Headers that say what was done. */
  readonly addedHeaders: Readonly<Record<string, string>>
}
