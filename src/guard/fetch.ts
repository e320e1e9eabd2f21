/** The guard as a `fetch`: pass it to a client, or assign it to the global one. Web APIs only. */
import { SutureError } from '../core/error.ts'
import { orUndefined } from '../core/index.ts'
import type { OptionTable } from '../core/options.ts'
import { isInvokePath } from '../dialects/addresses.ts'
import { type BodyData, textOf } from './body-text.ts'
import { valuesIn } from './body-values.ts'
import { type Address, type Endpoint, endpointOf, isForModel } from './endpoint.ts'
import type { Passed } from './events.ts'
import { exchange } from './exchange.ts'
import { GUARD_OPTIONS, type GuardOptions, levelOf, notify, resolveOptions, type Settings } from './options.ts'
import { parseText } from './repair-body.ts'
import { decompressed, type FetchInput, isRequest, type ReadBody, readBody, readBodySync } from './request-body.ts'
import { type BodyContent, ResponseSource, responseOf } from './streams/index.ts'
import type { GuardRequest, HeaderView, OutgoingRequest, UpstreamResponse } from './transport.ts'

/** The changed request, for a function that signs it. */
export interface Unsigned {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: BodyData
}

/** Options of a guard that is a `fetch`. */
export interface FetchOptions extends GuardOptions {
  /** Sends the requests. Default: the global `fetch` at the time the guard is created. */
  readonly fetch?: typeof fetch
  /** Headers of a changed request whose bytes are signed (AWS). Without it such requests are not changed. */
  readonly sign?: (request: Unsigned) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
}

const FETCH_OPTIONS: OptionTable<FetchOptions> = { ...GUARD_OPTIONS, fetch: 'function', sign: 'function' }

/** A `fetch` that repairs requests. */
export function guard(options: FetchOptions = {}): typeof fetch {
  if (
    typeof options === 'string' ||
    (options as unknown) instanceof URL ||
    (options && isRequest(options as FetchInput))
  )
    // A client was given `guard` itself and calls it with an address.
    throw new SutureError(
      'bad-option',
      'guard() returns a fetch function; guard itself is not one. Pass guard() to the client: new OpenAI({ fetch: guard() }).',
    )
  const settings = resolveOptions(options, 'guard', FETCH_OPTIONS)
  const inner = options.fetch ?? globalThis.fetch
  const known = addresses(settings)
  return async function guarded(input, init) {
    const call = callOf(input, init)
    const level = levelOf(call.headers.get('suture'), settings)
    const plain = (signal?: AbortSignal) => inner(input, plainly(call, signal))
    if (level === 'off') return passed(() => plain(), settings, 'off')
    const { address, endpoint } = call.method === 'POST' ? known(call.url) : NOWHERE
    // The body of these paths is needed to know the endpoint.
    if (!address || (!endpoint && !isInvokePath(address.path)))
      return passed(() => plain(), settings, 'unknown-endpoint')
    // Most bodies are available at once: then nothing is awaited.
    const read = readBodySync(init) ?? (await readBody(input, init))
    const encoding = call.headers.get('content-encoding')
    const body = read && (encoding === null ? read.body : await decompressed(read.body, encoding))
    if (!read || body === undefined) {
      const rest = read?.used ? () => inner(input, { ...init, body: read.body as BodyContent }) : () => plain()
      return passed(rest, settings, 'not-readable')
    }
    const send = sender({ ...call, read, inner, sign: options.sign, plain })
    const signed = options.sign === undefined && isSigned(call.headers)
    const request = requestFor(call, address, endpoint, { body, level, signed }, settings)
    if (!request)
      return passed(async () => (await send({ body, changed: false })).response, settings, 'unknown-endpoint')
    const { upstream, bytes, body: source, addedHeaders } = await exchange(request, settings, send)
    return responseOf(upstream.response, bytes ?? source, addedHeaders)
  }
}

/** The headers of the caller without those of the guard. */
function plainly({ headers, init }: Call, signal?: AbortSignal): RequestInit | undefined {
  const named = headers.has('suture')
  if (!named && !signal) return init
  return { ...init, ...(named ? { headers: without(headers) } : {}), ...(signal ? { signal } : {}) }
}

interface Call {
  readonly input: FetchInput
  readonly init: RequestInit | undefined
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly signal: AbortSignal | undefined
}

function callOf(input: FetchInput, init: RequestInit | undefined): Call {
  const request = isRequest(input) ? input : undefined
  const url = request ? request.url : String(input)
  const headers = new Headers(init?.headers ?? request?.headers)
  const signal = init?.signal ?? request?.signal
  const method = (init?.method ?? request?.method ?? 'GET').toUpperCase()
  return { input, init, url, method, headers, signal }
}

/** Address and endpoint of a call. */
interface Known {
  readonly address?: Address | undefined
  readonly endpoint?: Endpoint | undefined
}

const NOWHERE: Known = {}

/** A cache: a client asks the same few addresses. Addresses with a query may contain a key and are not cached. */
function addresses(settings: Settings): (url: string) => Known {
  const kept = new Map<string, Known>()
  // A function that names providers may return another one next time.
  const keeps = typeof settings.provider !== 'function'
  return (url) => {
    let found = kept.get(url)
    if (found) return found
    const address = addressOf(url)
    found = { address, endpoint: address && endpointOf(address, settings) }
    if (kept.size >= MOST_ADDRESSES) kept.clear()
    if (keeps && !url.includes('?')) kept.set(url, found)
    return found
  }
}

const MOST_ADDRESSES = 64

function addressOf(url: string): Address | undefined {
  const parsed = orUndefined(() => new URL(url))
  return parsed && { host: parsed.hostname, path: parsed.pathname }
}

function requestFor(
  call: Call,
  { host, path }: Address,
  known: Endpoint | undefined,
  { body, level, signed }: Pick<GuardRequest, 'body' | 'level' | 'signed'>,
  settings: Settings,
): GuardRequest | undefined {
  const value = known?.known || valuesIn(body) === undefined ? undefined : parseText(textOf(body))
  const endpoint = known ?? endpointOf({ host, path }, settings, value)
  if (!endpoint || !isForModel(endpoint, value)) return undefined
  const headers = headersOf(call.headers)
  const request = { endpoint, path, headers, body, level, signed: signed === true, signal: call.signal }
  return typeof value === 'object' ? { ...request, parsed: value } : request
}

function headersOf(headers: Headers): HeaderView {
  return { get: (name) => headers.get(name), all: () => Object.fromEntries(without(headers)) }
}

/** A call that may be sent several times. */
interface Sendable extends Call {
  readonly read: ReadBody
  readonly inner: typeof fetch
  readonly sign: FetchOptions['sign']
  readonly plain: (signal?: AbortSignal) => Promise<Response>
}

interface Got extends UpstreamResponse {
  readonly response: Response
}

function sender(call: Sendable): (sending: OutgoingRequest) => Promise<Got> {
  return async (sending) => {
    const plain = !sending.changed && !sending.headers && !call.read.used
    const response = await (plain ? call.plain(sending.signal) : changed(call, sending))
    return { status: response.status, headers: response.headers, body: new ResponseSource(response), response }
  }
}

async function changed(call: Sendable, sending: OutgoingRequest): Promise<Response> {
  const { input, init, url, method, read, inner, sign } = call
  const headers = without(new Headers(sending.headers ?? call.headers))
  // A compressed body is sent uncompressed after a change; `fetch` sets its length.
  if (sending.changed) for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  if (read.type !== undefined && !headers.has('content-type')) headers.set('content-type', read.type)
  const body = sending.changed ? sending.body : read.body
  if (sign && isSigned(headers)) {
    const signed = await sign({ url, method, headers: Object.fromEntries(headers), body })
    for (const [name, value] of Object.entries(signed)) headers.set(name, value)
  }
  const { duplex: _duplex, ...rest } = (init ?? {}) as RequestInit & { duplex?: string }
  const { signal } = sending
  return inner(input, { ...rest, method, headers, body: body as BodyContent, ...(signal ? { signal } : {}) })
}

async function passed(send: () => Promise<Response>, settings: Settings, why: Passed['why']): Promise<Response> {
  notify(settings, { type: 'passed', request: ++settings.state.requests, why })
  return send()
}

function without(headers: Headers): Headers {
  if (!headers.has('suture')) return headers
  const rest = new Headers(headers)
  rest.delete('suture')
  return rest
}

function isSigned(headers: Headers): boolean {
  return headers.get('authorization')?.startsWith('AWS4-') ?? false
}
