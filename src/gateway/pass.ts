/**
 * A request on its way to its upstream: guarded where the guard knows the endpoint, else as it came.
 */
import { type Body, type Endpoint, exchange, modeOf, needsBody, type Sending, type Settings } from '../guard/core.ts'
import { opened } from './body.ts'
import { dispatch, type Reached } from './dispatch.ts'
import { bounded } from './frames.ts'
import { headerIn, type RawHeaders, recordOf, rewritten, toClient, toUpstream, without } from './headers.ts'
import { type Caller, credentialFor, withoutKey } from './keys.ts'
import type { Target } from './target.ts'
import type { Incoming, Outgoing } from './types.ts'
import { endpointAt, type Way } from './upstreams.ts'
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
  readonly parsed?: Record<string, unknown>
}

/** What the guard is to look at; undefined: nothing, the request is passed on as it came. */
export async function guardedOf(asking: Asking): Promise<Guarded | undefined> {
  const { incoming, way, settings, visit, raw, limit } = asking
  if (incoming.method !== 'POST') return undefined
  if (modeOf(headerIn(incoming.headers, 'suture'), settings) === 'off') {
    visit.note('passed', 'off')
    return undefined
  }
  const endpoint = endpointAt(way, settings)
  if (!endpoint && !needsBody(way.path)) return undefined
  const body = await opened(raw, headerIn(incoming.headers, 'content-encoding'), limit)
  if (!body) return undefined
  if (endpoint) return { ...asking, endpoint, body }
  const parsed = parsedOf(body)
  const invoked = parsed && endpointAt(way, settings, parsed)
  return invoked && { ...asking, endpoint: invoked, body, parsed }
}

export function parsedOf(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** Passed on as it came. */
export async function passOn(asking: Asking): Promise<Outgoing> {
  const { visit, raw, incoming } = asking
  const headers = outward(asking, new Set(), incoming.headers)
  visit.sending()
  const reached = await dispatch(asking.way.upstream.pool, callOf(asking, headers, raw))
  return answerOf(reached, reached.body, true, {})
}

/** Through the guard. `came` is what it may splice into; what is sent when nothing was changed is the body as it came. */
export async function throughGuard(guarded: Guarded, settings: Settings = guarded.settings): Promise<Outgoing> {
  const { incoming, way, endpoint, body, raw, parsed, visit } = guarded
  const plain = outward(guarded, new Set(), incoming.headers)
  const send = async (sending: Sending): Promise<Reached> => {
    const headers = headersOf(sending, plain)
    visit.sending()
    // Unpacked and unchanged: the bytes as they came are sent.
    const call = callOf(guarded, headers, sending.body === body ? raw : sending.body)
    const reached = await dispatch(way.upstream.pool, call)
    return isEvents(reached) ? { ...reached, body: bounded(reached.body) } : reached
  }
  const view = recordOf(plain)
  const asked = {
    endpoint,
    path: way.path,
    headers: { get: (name: string) => view[name] ?? null, all: () => view },
    body,
    mode: modeOf(headerIn(incoming.headers, 'suture'), settings),
    signal: incoming.signal,
    signed: view['authorization']?.startsWith('AWS4-') ?? false,
    ...(parsed ? { parsed } : {}),
  }
  const { upstream, body: stream, whole, extra } = await exchange<Reached>(asked, settings, send)
  return answerOf(upstream, whole ?? stream ?? upstream.body, stream === undefined, extra)
}

function isEvents({ headers }: Reached): boolean {
  return headers.get('content-type')?.includes('event-stream') ?? false
}

const PACKED: ReadonlySet<string> = new Set(['content-encoding'])
const NONE: ReadonlySet<string> = new Set()

function headersOf(sending: Sending, plain: string[]): string[] {
  const dropped = sending.changed ? PACKED : NONE
  const headers = sending.headers ? rewritten(plain, sending.headers, dropped) : plain
  return sending.changed ? without(headers, (name) => PACKED.has(name)) : headers
}

/** Headers for the upstream: what came, with the provider's key where the caller brought none. */
function outward({ caller, way }: Asking, drop: ReadonlySet<string>, came: RawHeaders): string[] {
  const headers = toUpstream(came, caller.spent.size > 0 ? new Set([...drop, ...caller.spent]) : drop)
  for (let i = 0; i < headers.length; i += 2)
    // What is compressed cannot be looked at on its way.
    if (headers[i]!.toLowerCase() === 'accept-encoding') headers[i + 1] = 'identity'
  const { key, provider } = way.upstream
  if (key !== undefined && !caller.credential) headers.push(...credentialFor(provider, key))
  return headers
}

function callOf({ incoming, target, way, caller }: Asking, headers: string[], body: Body) {
  const query = caller.inQuery ? withoutKey(target.query) : target.query
  const { method, signal } = incoming
  const hasBody = body.length > 0 || (method !== 'GET' && method !== 'HEAD')
  return { method, path: way.path + query, headers, body: hasBody ? body : null, signal }
}

function answerOf(
  { status, statusText, raw }: Reached,
  body: NonNullable<Outgoing['body']>,
  untouched: boolean,
  extra: Readonly<Record<string, string>>,
): Outgoing {
  const headers = toClient(raw, untouched)
  for (const name in extra) headers.push(name, extra[name]!)
  return { status, statusText, headers, body }
}
