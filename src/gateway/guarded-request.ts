/** Forwards a request to its upstream: through the guard if the guard knows the endpoint, otherwise unchanged. */
import {
  type BodyData,
  type ByteSource,
  countingTokens,
  type Endpoint,
  exchange,
  type GuardLevel,
  type GuardRequest,
  type GuardResponse,
  type HeaderView,
  isInvokePath,
  levelOf,
  type OutgoingRequest,
  parsedSize,
  parseText,
  type Settings,
  valuesIn,
} from '../guard/transport.ts'
import {
  type Call,
  decodeBody,
  decompress,
  dispatch,
  headerIn,
  parseForPrecheck,
  plainPath,
  type Reached,
  realSignal,
  recordOf,
  rewritten,
  type Target,
  toClient,
  toUpstream,
  without,
} from './http/index.ts'
import type { RequestLog } from './observation/index.ts'
import { type Caller, credentialFor, type MemoryHold } from './protection/index.ts'
import type { Incoming, Outgoing } from './types.ts'
import { endpointAt, endpointIn, type Route } from './upstreams.ts'

/** A request that was admitted, with everything known about it. */
export interface AdmittedRequest {
  readonly incoming: Incoming
  readonly target: Target
  readonly route: Route
  readonly caller: Caller
  readonly log: RequestLog
  readonly settings: Settings
  /** The body as it arrived. */
  readonly raw: Uint8Array
  readonly limit: number
  /** The memory that the request occupies. */
  readonly hold: MemoryHold
}

/** A request that the guard can read. */
export interface GuardedRequest extends AdmittedRequest {
  readonly endpoint: Endpoint
  /** The decompressed body. */
  readonly body: Uint8Array
  readonly parsed?: Record<string, unknown> | undefined
}

/** Undefined: the request is passed on unchanged. Asynchronous only if the body has to be decompressed. */
export function guardedRequestOf(
  admitted: AdmittedRequest,
): GuardedRequest | undefined | Promise<GuardedRequest | undefined> {
  const { incoming, route, settings, log, raw, limit, hold } = admitted
  if (incoming.method !== 'POST') return undefined
  if (levelOf(incoming.headers.get('suture'), settings) === 'off') {
    log.passed('off')
    return undefined
  }
  const endpoint = endpointAt(route, settings)
  if (!endpoint && !isInvokePath(plainPath(route.path))) return undefined
  const encoding = incoming.headers.get('content-encoding')
  if (encoding === undefined) return readable(admitted, endpoint, raw)
  return decompress(raw, encoding, limit, hold).then((body) => (body ? readable(admitted, endpoint, body) : undefined))
}

function readable(
  admitted: AdmittedRequest,
  endpoint: Endpoint | undefined,
  body: Uint8Array,
): GuardedRequest | undefined {
  // Parsed here only if the address does not name the provider. Otherwise the guard parses and keeps nothing.
  const parsed = endpoint ? undefined : parsedOf(body, admitted)
  const found = endpoint ?? (parsed && endpointIn(admitted.route, admitted.settings, parsed))
  if (!found) return undefined
  const { incoming, target, route, caller, log, settings, raw, limit, hold } = admitted
  // Written out: a spread costs as much as the rest of this step.
  return { incoming, target, route, caller, log, settings, raw, limit, hold, endpoint: found, body, parsed }
}

/** The parsed body, counted as memory until the request ends. Undefined: no JSON object, or too large. */
export function parsedOf(body: Uint8Array, { hold, log }: AdmittedRequest): Record<string, unknown> | undefined {
  const values = valuesIn(body)
  const isTaken = values !== undefined && hold.takesParsed(parsedSize(body, values))
  if (!isTaken) log.passed(values === undefined ? 'too-many-values' : 'too-large')
  const value = isTaken ? parseText(decodeBody(body)) : undefined
  return typeof value === 'string' ? undefined : value
}

/** Passes the request on unchanged. */
export async function forward(admitted: AdmittedRequest): Promise<Outgoing> {
  const { log, raw } = admitted
  const headers = outward(admitted)
  log.sending()
  const reached = await dispatch(admitted.route.upstream.pool, callOf(admitted, headers, raw))
  return answerOf(reached, counting(admitted, reached), true, {})
}

/** The body of a response that is not inspected, with its tokens counted if the guard knows the endpoint. */
function counting({ incoming, route, settings, log }: AdmittedRequest, { status, headers, body }: Reached): ByteSource {
  const endpoint = status === 200 && incoming.method === 'POST' ? endpointAt(route, settings) : undefined
  if (!endpoint) return body
  const about = { dialect: endpoint.service.dialect.id, path: plainPath(route.path), type: headers.get('content-type') }
  return countingTokens(body, about, log.onUsage)
}

/** Sends a request through the guard, which splices into the decompressed body; unchanged, as it arrived. */
export function throughGuard(guarded: GuardedRequest, settings: Settings = guarded.settings): Promise<Outgoing> {
  const bridge = new GuardBridge(guarded, settings)
  return exchange<Reached>(bridge, settings, bridge.send).then(bridge.outgoing)
}

/** A request as the guard sees it, and its route. One object: for small requests each further one is measurable. */
class GuardBridge implements GuardRequest, HeaderView {
  readonly endpoint: Endpoint
  readonly path: string
  readonly body: Uint8Array
  readonly level: GuardLevel
  readonly signal: AbortSignal
  readonly signed: boolean
  readonly parsed: Record<string, unknown> | undefined
  readonly listener: RequestLog
  private readonly guarded: GuardedRequest
  private readonly plain: string[]
  /** It may be sent more than once. */
  private readonly resends: boolean
  /** Bytes of the changed body that was sent last. */
  private own = 0

  constructor(guarded: GuardedRequest, settings: Settings) {
    const { incoming, route, endpoint, body, parsed, log } = guarded
    this.guarded = guarded
    this.plain = outward(guarded)
    this.endpoint = endpoint
    this.path = plainPath(route.path)
    this.body = body
    this.level = levelOf(incoming.headers.get('suture'), settings)
    this.resends = this.level === 'recover' && settings.maxAttempts > 1
    // A time limit of the guard is combined with it, which needs a real `AbortSignal`.
    this.signal = settings.idleTimeoutMs === undefined ? incoming.signal : realSignal(incoming.signal)
    this.signed = incoming.headers.get('authorization')?.startsWith('AWS4-') ?? false
    this.parsed = parsed
    this.listener = log
  }

  get headers(): HeaderView {
    return this
  }

  get(name: string): string | null {
    return headerIn(this.plain, name) ?? null
  }

  all(): Readonly<Record<string, string>> {
    return recordOf(this.plain)
  }

  scope(): string {
    return this.guarded.caller.scope()
  }

  decode(): string {
    return decodeBody(this.body)
  }

  /** Not if the last body on this route needed repair: a broken history comes again and would be parsed twice. */
  precheck(): Record<string, unknown> | undefined {
    return this.guarded.route.repaired ? undefined : parseForPrecheck(this.body)
  }

  reserve(bytes: number): boolean {
    return this.guarded.hold.takesParsed(bytes)
  }

  readonly send = (sending: OutgoingRequest): Promise<Reached> => {
    const { guarded, plain } = this
    const headers = sending.changed || sending.headers ? headersOf(sending, plain) : plain
    guarded.log.sending()
    guarded.route.repaired = sending.changed
    const body = sending.body === guarded.body ? guarded.raw : this.changed(sending.body)
    const resend = this.resends ? this.resent : undefined
    return dispatch(guarded.route.upstream.pool, callOf(guarded, headers, body, sending.signal, resend))
  }

  readonly outgoing = ({
    upstream,
    body,
    bytes: whole,
    addedHeaders: extra,
    unread = false,
  }: GuardResponse<Reached>): Outgoing => {
    const bytes = whole ?? body ?? counting(this.guarded, upstream)
    const out = answerOf(upstream, bytes, body === undefined || unread, extra)
    return unread ? { ...out, unread } : out
  }

  /** A repaired body is in memory in addition to the original one. */
  private changed(body: BodyData): BodyData {
    const { hold } = this.guarded
    hold.give(this.own)
    this.own = 0
    hold.take(body.length)
    this.own = body.length
    return body
  }

  private readonly resent = (code: string): void => this.listener.note('resent', code)
}

function headersOf(sending: OutgoingRequest, plain: string[]): string[] {
  const headers = sending.headers ? rewritten(plain, sending.headers) : plain
  return sending.changed ? without(headers, (name) => name === 'content-encoding') : headers
}

/** Headers for the upstream: those of the client, with the provider's key if the client sent none. */
function outward({ caller, route, incoming }: AdmittedRequest): string[] {
  const headers = toUpstream(incoming.headers, caller.spent)
  const { key, provider } = route.upstream
  if (key !== undefined && !caller.credential) headers.push(...credentialFor(provider, key))
  return headers
}

/** `own`: a signal instead of the client's, for an attempt that may be aborted before the client disconnects. */
function callOf(
  { incoming, target, route, caller, hold }: AdmittedRequest,
  headers: string[],
  body: BodyData,
  own?: AbortSignal,
  resend?: Call['resend'],
): Call {
  const query = caller.query ?? target.query
  const scrub = caller.credential ? undefined : route.upstream.scrub
  const { method } = incoming
  const signal = own ?? incoming.signal
  const hasBody = body.length > 0 || (method !== 'GET' && method !== 'HEAD')
  const { headersMs } = route.upstream
  const path = route.path + query
  return { method, path, headers, body: hasBody ? body : null, signal, hold, scrub, resend, headersMs }
}

function answerOf(
  { status, statusText, heads }: Reached,
  body: NonNullable<Outgoing['body']>,
  untouched: boolean,
  extra: Readonly<Record<string, string>>,
): Outgoing {
  const headers = toClient(heads, untouched)
  for (const name in extra) headers.push(name, extra[name]!)
  return { status, statusText, headers, body }
}
