/** The request handler of the gateway, independent of the transport: authentication, routing, and the response. */
import { randomBytes } from 'node:crypto'
import { levelOf, type Settings, within } from '../guard/transport.ts'
import { sessionApi } from './api.ts'
import { checkHeaders, rejectWebSocket } from './check-options.ts'
import { errorBody, GatewayError, gatewayErrorOf } from './gateway-error.ts'
import { guardSettings } from './guard-settings.ts'
import {
  type AdmittedRequest,
  forward,
  type GuardedRequest,
  guardedRequestOf,
  throughGuard,
} from './guarded-request.ts'
import { json, type Target, targetOf, text } from './http/index.ts'
import { indexPage, VERSION } from './index-page.ts'
import { Metrics, RequestEvents, RequestLog, type RequestSpan, spanOf } from './observation/index.ts'
import { openapi } from './openapi.ts'
import { type GatewayOptions, LIMITS, type Limits, type LogLine } from './options.ts'
import { type Caller, HostCheck, Keys, MemoryHold, RateLimit } from './protection/index.ts'
import {
  checkUnread,
  handleSessionRequest,
  Sessions,
  sessionRequestOf,
  unrecorded,
  withDeadline,
} from './recording/index.ts'
import type { Incoming, Outgoing } from './types.ts'
import { Upstreams } from './upstreams.ts'
import { VIEWER_PATH, viewerFile } from './viewer.ts'

const API = '/suture/v1/sessions'
const EVENTS = '/suture/v1/events'
/** Paths that the log names; others are arbitrary text of a client. */
const OWN = new Set(['/suture/health', '/suture/ready', '/suture/metrics', '/suture/openapi.json'])
/** Milliseconds that the store has to answer a readiness check. Probes usually wait for one second. */
const READY = 800
export class GatewayApp {
  readonly options: GatewayOptions
  readonly limits: Limits
  readonly metrics = new Metrics()
  private readonly events = new RequestEvents()
  /** Draining: requests are still served, but readiness is 503. */
  draining = false
  /** Set when no new request is accepted. */
  closing = false
  private readonly settings: Settings
  private readonly upstreams: Upstreams
  private readonly keys: Keys
  private readonly hostCheck: HostCheck
  private readonly rate = new RateLimit()
  private readonly sessions: Sessions | undefined
  /** Request ids: a prefix for this gateway, and a number. */
  private readonly name = randomBytes(9).toString('base64url')
  private count = 0

  constructor(options: GatewayOptions) {
    this.options = options
    this.metrics.add('suture_build_info', { version: VERSION })
    this.limits = { ...LIMITS, ...options.limits }
    this.settings = guardSettings(options, this.limits)
    this.upstreams = new Upstreams(options.upstreams, options.default, this.limits)
    this.keys = new Keys(options.keys ?? [])
    this.hostCheck = new HostCheck(this.keys.needed, options.hosts ?? [])
    const store = options.store && withDeadline(options.store, this.limits.storeTimeoutMs)
    this.sessions = store && new Sessions(store, this.settings, this.limits.storeTimeoutMs)
  }

  /** Whether every request needs a key. */
  get guarded(): boolean {
    return this.keys.needed
  }

  private readonly log = (line: LogLine): unknown => {
    this.events.add(line)
    return this.options.log?.(line)
  }

  /** Answers a request. Never rejects. */
  handle(incoming: Incoming): Promise<Outgoing> {
    const log = new RequestLog(`${this.name}-${++this.count}`, incoming.method, this.metrics, this.log)
    const span = spanOf(this.settings.telemetry, incoming.method, incoming.headers)
    const hold = new MemoryHold(this.metrics.buffered, this.limits.maxBufferedBytes)
    return span ? span.within(() => this.serve(incoming, log, hold, span)) : this.serve(incoming, log, hold)
  }

  /** All awaits are in this one function: each async function costs a small request as much as parsing its headers. */
  private async serve(incoming: Incoming, log: RequestLog, hold: MemoryHold, span?: RequestSpan): Promise<Outgoing> {
    let out: Outgoing
    try {
      const target = targetOf(incoming.target)
      const here = this.here(incoming, target, log, hold)
      if (here) out = await here
      else {
        const caller = this.caller(incoming, target, log)
        const route = this.upstreams.find(target, incoming.headers)
        log.routedTo(route.upstream, route.path)
        rejectWebSocket(incoming.headers)
        const raw = await incoming.body(hold)
        log.received(raw.length)
        const { settings } = this
        const request = { incoming, target, route, caller, log, settings, raw, limit: this.limits.maxBodyBytes, hold }
        out = await this.forward(request)
      }
      log.answering()
    } catch (error) {
      out = this.errorResponse(
        incoming.signal.aborted ? new GatewayError('client-disconnected', 'The client disconnected.') : error,
        log,
      )
    }
    return ended(out, log, hold, span)
  }

  drain(): void {
    this.draining = true
    this.events.close()
    this.metrics.draining.value = 1
  }

  async close(): Promise<void> {
    await this.upstreams.close()
  }

  /** What this gateway answers itself; undefined: the request goes to an upstream. */
  private here(
    incoming: Incoming,
    target: Target,
    log: RequestLog,
    hold: MemoryHold,
  ): Outgoing | Promise<Outgoing> | undefined {
    this.hostCheck.check(incoming.headers)
    // The upstream would echo the headers of the request, with the key that was added.
    if (incoming.method === 'TRACE') throw new GatewayError('wrong-method', 'TRACE is not supported. Use GET or POST.')
    const { path } = target
    if (path.startsWith('/suture') && (path.length === 7 || path[7] === '/'))
      return this.own(incoming, target, log, hold)
    if (this.closing)
      throw new GatewayError('shutting-down', 'This gateway is shutting down. Retry: another one answers.')
    return path === '/' && !this.upstreams.hosted(incoming.headers) ? this.front(incoming) : undefined
  }

  private front({ method, headers }: Incoming): Outgoing {
    if (method !== 'GET' && method !== 'HEAD') throw new GatewayError('wrong-method', 'Use GET.')
    if (this.options.viewer && headers.get('accept')?.includes('text/html'))
      return { status: 302, headers: ['location', `${VIEWER_PATH}/`], body: Buffer.alloc(0) }
    return indexPage(this.guarded ? [] : this.upstreams.names, headers.get('accept') ?? '')
  }

  private forward(request: AdmittedRequest): Promise<Outgoing> {
    const found = guardedRequestOf(request)
    return found instanceof Promise ? found.then((guarded) => this.send(request, guarded)) : this.send(request, found)
  }

  private send(request: AdmittedRequest, guarded: GuardedRequest | undefined): Promise<Outgoing> {
    const { derive = false } = this.options
    if (!guarded) {
      checkUnread(request, derive)
      return forward(request)
    }
    const wanted = sessionRequestOf(request.incoming, derive)
    if (!wanted) return throughGuard(guarded)
    if (this.sessions) return handleSessionRequest(guarded, wanted, this.sessions, this.options.compactor)
    if (!wanted.append) return unrecorded(guarded, 'not-configured')
    throw new GatewayError('not-configured', 'This gateway has no store: start it with --store.')
  }

  private caller({ headers }: Incoming, { query, path }: Target, log: RequestLog): Caller {
    checkHeaders(headers, () => levelOf(headers.get('suture'), this.settings))
    const caller = this.keys.caller(headers, query, path)
    log.key = caller.key?.name
    const perMinute = caller.key?.perMinute ?? this.limits.perMinute
    if (this.keys.needed && perMinute > 0) this.rate.take(caller.scope(), perMinute)
    return caller
  }

  private async own(incoming: Incoming, target: Target, log: RequestLog, hold: MemoryHold): Promise<Outgoing> {
    const { path, query } = target
    log.path = OWN.has(path) ? path : '/suture/…'
    if (path.startsWith('/suture/v1/')) this.hostCheck.checkOwnPage(incoming.headers)
    if (path === API || path.startsWith(`${API}/`)) {
      log.path = `${API}/…`
      const caller = this.caller(incoming, target, log)
      if (!this.sessions) throw new GatewayError('not-configured', 'This gateway has no store: start it with --store.')
      const { viewer, compactor } = this.options
      const about = { method: incoming.method, path: path.slice(API.length), query: new URLSearchParams(query) }
      const request = { ...about, caller, hold, viewer, body: () => incoming.body(hold) }
      return sessionApi(this.sessions, request, compactor)
    }
    if (incoming.method !== 'GET' && incoming.method !== 'HEAD') throw new GatewayError('wrong-method', 'Use GET.')
    if (path === VIEWER_PATH || path.startsWith(`${VIEWER_PATH}/`)) return viewerFile(this.options.viewer, path)
    if (path === EVENTS) {
      const { key } = this.caller(incoming, target, log)
      return this.events.stream(Number(new URLSearchParams(query).get('after')) || 0, key?.name)
    }
    switch (path) {
      case '/suture/health':
        return json(200, { status: this.draining ? 'draining' : 'up' })
      case '/suture/ready':
        return await this.ready(incoming, target)
      case '/suture/metrics':
        return text(this.metrics.text())
      case '/suture/openapi.json':
        return json(200, openapi(VERSION))
      default:
        throw new GatewayError('no-such-path', 'No such path. /suture/openapi.json lists them.')
    }
  }

  private async ready(incoming: Incoming, target: Target): Promise<Outgoing> {
    if (this.draining) return json(503, { status: 'draining' })
    try {
      const { store } = this.options
      if (store)
        await within(READY, store.head('suture:ready'), () => {
          throw new GatewayError('store-failed', 'The store did not answer in time. Retry, or check the store.')
        })
      const { names, withoutKey, hasEmulator } = this.upstreams
      const upstreams = this.isCaller(incoming, target) ? { upstreams: names, withoutKey } : {}
      const emulator = hasEmulator ? { emulator: true } : {}
      return json(200, { status: 'ready', ...upstreams, ...emulator, store: store?.name ?? null })
    } catch {
      return json(503, { status: 'store-failed' })
    }
  }

  /** Whether a request may read names of upstreams. */
  private isCaller({ headers }: Incoming, { query, path }: Target): boolean {
    try {
      return this.keys.caller(headers, query, path) !== undefined
    } catch {
      return false
    }
  }

  private errorResponse(error: unknown, log: RequestLog): Outgoing {
    const problem = gatewayErrorOf(error)
    log.failedWith(problem, error)
    const headers = ['content-type', 'application/json', 'suture-error', problem.code]
    for (const [name, value] of Object.entries(problem.headers)) headers.push(name, value)
    return { status: problem.status, headers, body: errorBody(problem, log.id) }
  }
}

/** Adds the request id and the mark of an emulator; log, memory and span end with the response. */
function ended(out: Outgoing, log: RequestLog, hold: MemoryHold, span: RequestSpan | undefined): Outgoing {
  out.headers.push('suture-request-id', log.id)
  if (log.emulator) out.headers.push('suture-emulator', 'true')
  const { over } = out
  out.over = (whole, broke) => {
    over?.(whole, broke)
    hold.end()
    log.end(out.status, whole, broke)
    span?.end(out.status, log)
  }
  return out
}
