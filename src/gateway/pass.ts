/**
 * A request on its way to its upstream: guarded where the guard knows the endpoint, else as it came.
 */
import {
  type Answered,
  type Asked,
  type Body,
  countingTokens,
  type Endpoint,
  exchange,
  type HeaderView,
  type Mode,
  modeOf,
  needsBody,
  parsed,
  type Sending,
  type Settings,
  type Source,
} from '../guard/core.ts'
import { opened } from './body.ts'
import { type Call, dispatch, type Reached } from './dispatch.ts'
import { glanced } from './glance.ts'
import { headerIn, recordOf, rewritten, toClient, toUpstream, without } from './headers.ts'
import type { Hold } from './hold.ts'
import { type Caller, credentialFor } from './keys.ts'
import { realOf } from './left.ts'
import { plainPath, type Target } from './target.ts'
import type { Incoming, Outgoing } from './types.ts'
import { endpointAt, endpointIn, type Way } from './upstreams.ts'
import type { Visit } from './visit.ts'

/** All that is known of a request once it has been let in. */
export interface Asking {
  readonly incoming: Incoming
  readonly target: Target
  readonly way: Way
  readonly caller: Caller
  readonly visit: Visit
  readonly settings: Settings
  /** Bytes of the body as it came. */
  readonly raw: Uint8Array
  readonly limit: number
  /** What the request holds in memory. */
  readonly hold: Hold
}

/** A request that the guard can read. */
export interface Guarded extends Asking {
  readonly endpoint: Endpoint
  /** The body unpacked. */
  readonly body: Uint8Array
  readonly parsed?: Record<string, unknown> | undefined
}

/** What the guard is to look at; undefined: nothing, the request is passed on as it came. Waits only where it has to be unpacked. */
export function guardedOf(asking: Asking): Guarded | undefined | Promise<Guarded | undefined> {
  const { incoming, way, settings, visit, raw, limit, hold } = asking
  if (incoming.method !== 'POST') return undefined
  if (modeOf(incoming.headers.get('suture'), settings) === 'off') {
    visit.note('passed', 'off')
    return undefined
  }
  const endpoint = endpointAt(way, settings)
  if (!endpoint && !needsBody(plainPath(way.path))) return undefined
  const encoding = incoming.headers.get('content-encoding')
  if (encoding === undefined) return readable(asking, endpoint, raw)
  return opened(raw, encoding, limit, hold).then((body) => (body ? readable(asking, endpoint, body) : undefined))
}

function readable(asking: Asking, endpoint: Endpoint | undefined, body: Uint8Array): Guarded | undefined {
  // Read here only where the address does not say whose it is: else the guard reads it, and keeps nothing of it.
  const said = endpoint ? undefined : parsedOf(body)
  const found = endpoint ?? (said && endpointIn(asking.way, asking.settings, said))
  if (!found) return undefined
  const { incoming, target, way, caller, visit, settings, raw, limit, hold } = asking
  // Written out: a copy by spreading costs as much as all the rest of this step.
  return { incoming, target, way, caller, visit, settings, raw, limit, hold, endpoint: found, body, parsed: said }
}

export function parsedOf(body: Uint8Array): Record<string, unknown> | undefined {
  const value = parsed(body)
  return typeof value === 'string' ? undefined : value
}

/** Passed on as it came. */
export async function passOn(asking: Asking): Promise<Outgoing> {
  const { visit, raw } = asking
  const headers = outward(asking)
  visit.sending()
  const reached = await dispatch(asking.way.upstream.pool, callOf(asking, headers, raw))
  return answerOf(reached, counting(asking, reached), true, {})
}

/** The body of an answer that nobody looks into, with its tokens counted where the guard knows the endpoint. */
function counting({ incoming, way, settings, visit }: Asking, { status, headers, body }: Reached): Source {
  const endpoint = status === 200 && incoming.method === 'POST' ? endpointAt(way, settings) : undefined
  if (!endpoint) return body
  const about = { dialect: endpoint.service.dialect.id, path: plainPath(way.path), type: headers.get('content-type') }
  return countingTokens(body, about, visit.counted)
}

/** Through the guard: what it may splice into is the body unpacked; what is sent when nothing was changed is the body as it came. */
export function throughGuard(guarded: Guarded, settings: Settings = guarded.settings): Promise<Outgoing> {
  const passage = new Passage(guarded, settings)
  return exchange<Reached>(passage, settings, passage.send).then(passage.outgoing)
}

/** A request as the guard sees it, and its way to the upstream. One object: a small request feels every other. */
class Passage implements Asked, HeaderView {
  readonly endpoint: Endpoint
  readonly path: string
  readonly body: Uint8Array
  readonly mode: Mode
  readonly signal: AbortSignal
  readonly signed: boolean
  readonly parsed: Record<string, unknown> | undefined
  readonly ear: Visit
  private readonly guarded: Guarded
  private readonly plain: string[]
  /** It may be sent more than once. */
  private readonly resends: boolean
  /** Bytes of the changed body that was sent last. */
  private own = 0

  constructor(guarded: Guarded, settings: Settings) {
    const { incoming, way, endpoint, body, parsed: said, visit } = guarded
    this.guarded = guarded
    this.plain = outward(guarded)
    this.endpoint = endpoint
    this.path = plainPath(way.path)
    this.body = body
    this.mode = modeOf(incoming.headers.get('suture'), settings)
    this.resends = this.mode === 'recover' && settings.most > 1
    // A limit of the guard's own is joined to it, which only works with one of the usual kind.
    this.signal = settings.longestSilence === undefined ? incoming.signal : realOf(incoming.signal)
    this.signed = incoming.headers.get('authorization')?.startsWith('AWS4-') ?? false
    this.parsed = said
    this.ear = visit
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

  /** Not where the last body that came this way had to be mended: a broken history is sent again and again, and is then read twice. */
  glance(): Record<string, unknown> | undefined {
    return this.guarded.way.mended ? undefined : glanced(this.body)
  }

  readonly send = (sending: Sending): Promise<Reached> => {
    const { guarded, plain } = this
    const headers = sending.changed || sending.headers ? headersOf(sending, plain) : plain
    guarded.visit.sending()
    guarded.way.mended = sending.changed
    const body = sending.body === guarded.body ? guarded.raw : this.changed(sending.body)
    const resend = this.resends ? this.resent : undefined
    return dispatch(guarded.way.upstream.pool, callOf(guarded, headers, body, sending.signal, resend))
  }

  readonly outgoing = ({ upstream, body, whole, extra, unread = false }: Answered<Reached>): Outgoing => {
    const bytes = whole ?? body ?? counting(this.guarded, upstream)
    const out = answerOf(upstream, bytes, body === undefined || unread, extra)
    return unread ? { ...out, unread } : out
  }

  /** A body of ours is held beside the one that came. */
  private changed(body: Body): Body {
    const { hold } = this.guarded
    hold.give(this.own)
    this.own = 0
    hold.take(body.length)
    this.own = body.length
    return body
  }

  private readonly resent = (code: string): void => this.ear.note('resent', code)
}

const PACKED: ReadonlySet<string> = new Set(['content-encoding'])
const NONE: ReadonlySet<string> = new Set()

function headersOf(sending: Sending, plain: string[]): string[] {
  const dropped = sending.changed ? PACKED : NONE
  const headers = sending.headers ? rewritten(plain, sending.headers, dropped) : plain
  return sending.changed ? without(headers, (name) => PACKED.has(name)) : headers
}

/** Headers for the upstream: what came, with the provider's key where the caller brought none. */
function outward({ caller, way, incoming }: Asking): string[] {
  const headers = toUpstream(incoming.headers, caller.spent)
  const { key, provider } = way.upstream
  if (key !== undefined && !caller.credential) headers.push(...credentialFor(provider, key))
  return headers
}

/** `own`: a signal in the place of the client's, where a try may have to be given up before the client leaves. */
function callOf(
  { incoming, target, way, caller, hold }: Asking,
  headers: string[],
  body: Body,
  own?: AbortSignal,
  resend?: Call['resend'],
): Call {
  const query = caller.query ?? target.query
  const scrub = caller.credential ? undefined : way.upstream.scrub
  const { method } = incoming
  const signal = own ?? incoming.signal
  const hasBody = body.length > 0 || (method !== 'GET' && method !== 'HEAD')
  return { method, path: way.path + query, headers, body: hasBody ? body : null, signal, hold, scrub, resend }
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
