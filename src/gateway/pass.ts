/**
 * A request on its way to its upstream: guarded where the guard knows the endpoint, else as it came.
 */
import { isAscii } from 'node:buffer'
import { type Body, type Endpoint, exchange, modeOf, needsBody, type Sending, type Settings } from '../guard/core.ts'
import { opened } from './body.ts'
import { type Call, dispatch, type Reached } from './dispatch.ts'
import { headerIn, recordOf, rewritten, toClient, toUpstream, without } from './headers.ts'
import { type Caller, credentialFor, withoutKey } from './keys.ts'
import type { Target } from './target.ts'
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
  const { incoming, way, settings, visit, raw, limit } = asking
  if (incoming.method !== 'POST') return undefined
  if (modeOf(incoming.headers.get('suture'), settings) === 'off') {
    visit.note('passed', 'off')
    return undefined
  }
  const endpoint = endpointAt(way, settings)
  if (!endpoint && !needsBody(way.path)) return undefined
  const encoding = incoming.headers.get('content-encoding')
  if (encoding === undefined) return readable(asking, endpoint, raw)
  return opened(raw, encoding, limit).then((body) => (body ? readable(asking, endpoint, body) : undefined))
}

function readable(asking: Asking, endpoint: Endpoint | undefined, body: Uint8Array): Guarded | undefined {
  const parsed = parsedOf(body)
  const found = endpoint ?? (parsed && endpointIn(asking.way, asking.settings, parsed))
  if (!found) return undefined
  const { incoming, target, way, caller, visit, settings, raw, limit } = asking
  // Written out: a copy by spreading costs as much as all the rest of this step.
  return { incoming, target, way, caller, visit, settings, raw, limit, endpoint: found, body, parsed }
}

export function parsedOf(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(textOf(body))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** Most bodies are ASCII: to look costs far less than to decode. */
function textOf(body: Uint8Array): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8')
}

/** Passed on as it came. */
export async function passOn(asking: Asking): Promise<Outgoing> {
  const { visit, raw } = asking
  const headers = outward(asking)
  visit.sending()
  const reached = await dispatch(asking.way.upstream.pool, callOf(asking, headers, raw))
  return answerOf(reached, reached.body, true, {})
}

/** Through the guard: what it may splice into is the body unpacked; what is sent when nothing was changed is the body as it came. */
export async function throughGuard(guarded: Guarded, settings: Settings = guarded.settings): Promise<Outgoing> {
  const { incoming, way, endpoint, body, raw, parsed, visit } = guarded
  const plain = outward(guarded)
  const send = (sending: Sending): Promise<Reached> => {
    const headers = sending.changed || sending.headers ? headersOf(sending, plain) : plain
    visit.sending()
    const call = callOf(guarded, headers, sending.body === body ? raw : sending.body)
    return dispatch(way.upstream.pool, call)
  }
  const asked = {
    endpoint,
    path: way.path,
    headers: { get: (name: string) => headerIn(plain, name) ?? null, all: () => recordOf(plain) },
    body,
    mode: modeOf(incoming.headers.get('suture'), settings),
    signal: incoming.signal,
    signed: incoming.headers.get('authorization')?.startsWith('AWS4-') ?? false,
    // What could not be parsed the guard tries by itself, and says why not.
    parsed: parsed as Record<string, unknown>,
  }
  const { upstream, body: stream, whole, extra } = await exchange<Reached>(asked, settings, send)
  return answerOf(upstream, whole ?? stream ?? upstream.body, stream === undefined, extra)
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

function callOf({ incoming, target, way, caller }: Asking, headers: string[], body: Body): Call {
  const query = caller.inQuery ? withoutKey(target.query) : target.query
  const { method, signal } = incoming
  const hasBody = body.length > 0 || (method !== 'GET' && method !== 'HEAD')
  return { method, path: way.path + query, headers, body: hasBody ? body : null, signal }
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
