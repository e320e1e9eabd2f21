/**
 * The guard over bytes, headers and a `send`: what its skins have to bring and what they get. `fetch` is one skin, the gateway the other.
 */
import type { JsonObject } from '../core/index.ts'
import type { Endpoint } from './endpoint.ts'
import type { Ear, Mode } from './options.ts'
import type { Body } from './request.ts'
import type { Source } from './source.ts'

export { brokenOff, isUnanswered } from './broken.ts'
export { type Address, type Endpoint, endpointOf, needsBody, providerNamed } from './endpoint.ts'
export { exchange } from './exchange.ts'
export { type GuardOptions, type Mode, modeOf, type Settings, settle, unawaited } from './options.ts'
export { type Body, parsed, targetOf } from './request.ts'
export type { Source, Taken } from './source.ts'
export { countingTokens } from './usage.ts'

/** Headers of a request, by lower-case name. */
export interface HeaderView {
  get(name: string): string | null
  all(): Readonly<Record<string, string>>
}

/** A request that has an endpoint. */
export interface Asked {
  readonly endpoint: Endpoint
  readonly path: string
  readonly headers: HeaderView
  readonly body: Body
  readonly mode: Mode
  readonly signal?: AbortSignal | undefined
  /** The parsed body, where somebody had to look into it already. */
  readonly parsed?: JsonObject | undefined
  /** The body read as far as it takes to find it sound, where a skin can do that for less; undefined: read it in full. */
  glance?(): JsonObject | undefined
  /** The bytes are signed: changed ones would be refused. */
  readonly signed?: boolean
  /** Told of this request, beside who is told of all. */
  readonly ear?: Ear | undefined
}

/** What goes to the provider. `body` is what came when nothing was changed; `headers` are all of them, where they changed. */
export interface Sending {
  readonly body: Body
  readonly changed: boolean
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** In the place of the caller's signal, where a try may have to be given up: aborted too when nothing comes for too long. */
  readonly signal?: AbortSignal | undefined
}

export interface Upstream {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: Source
}

export type Send<U extends Upstream = Upstream> = (sending: Sending) => Promise<U>

/** What goes back to the caller. */
export interface Answered<U extends Upstream = Upstream> {
  /** Whose status and headers it has. */
  readonly upstream: U
  /** Absent: the upstream's own, not touched. */
  readonly body?: Source | undefined
  /** Where all of it is there at once. */
  readonly whole?: Uint8Array | undefined
  /** It was too long to be read: nothing of it was looked at, and `body` has the bytes as they come. */
  readonly unread?: boolean | undefined
  /** Headers that say what was done. */
  readonly extra: Readonly<Record<string, string>>
}
