/**
 * The gateway over requests and answers, whatever carries them: who asks, where it goes, what is told of it.
 */
import { randomBytes } from 'node:crypto'
import { type GuardOptions, modeOf, type Settings, settle } from '../guard/core.ts'
import { sessionApi } from './api.ts'
import { checkHeaders, refuseWebSocket } from './check.ts'
import { checkUnread, converse, wishOf } from './conversation.ts'
import { withDeadline, within } from './deadline.ts'
import { Door } from './door.ts'
import { front, VERSION } from './front.ts'
import { Hold } from './hold.ts'
import { type Caller, Keys } from './keys.ts'
import { realOf } from './left.ts'
import { Metrics } from './metrics.ts'
import { openapi } from './openapi.ts'
import { type GatewayOptions, LIMITS, type Limits } from './options.ts'
import { type Asking, type Guarded, guardedOf, passOn, throughGuard } from './pass.ts'
import { Problem, problemBody, problemOf } from './problem.ts'
import { Rate } from './rate.ts'
import { Sessions } from './sessions.ts'
import { type RequestSpan, spanOf } from './span.ts'
import { type Target, targetOf } from './target.ts'
import type { Incoming, Outgoing } from './types.ts'
import { unrecorded } from './unrecorded.ts'
import { Upstreams } from './upstreams.ts'
import { Visit } from './visit.ts'

const API = '/suture/v1/sessions'
/** Those that the log names; others may have anything in them. */
const OWN = new Set(['/suture/health', '/suture/ready', '/suture/metrics', '/suture/openapi.json'])
/** Milliseconds that the store may take to show that it answers: who asks for readiness waits a second. */
const READY = 800
const LONGEST_FRAME = 16 * 1024 * 1024
/** All that a guard can be told, so that what each request copies and asks for has one shape whatever was told. */
const UNTOLD: object = {
  provider: undefined,
  dialect: undefined,
  model: undefined,
  strict: undefined,
  repair: undefined,
  recovery: undefined,
  onEvent: undefined,
  onReply: undefined,
  telemetry: undefined,
}

export class Gate {
  readonly options: GatewayOptions
  readonly limits: Limits
  readonly metrics = new Metrics()
  /** It will go away: still serves, but says that it is not ready. */
  draining = false
  /** Set when no new request is to be taken. */
  closing = false
  private readonly settings: Settings
  private readonly upstreams: Upstreams
  private readonly keys: Keys
  private readonly door: Door
  private readonly rate = new Rate(() => performance.now())
  private readonly sessions: Sessions | undefined
  /** Ids of requests are told apart by a number, those of several gateways by what is before it. */
  private readonly name = randomBytes(9).toString('base64url')
  private count = 0

  constructor(options: GatewayOptions) {
    this.options = options
    this.limits = { ...LIMITS, ...options.limits }
    this.settings = { ...UNTOLD, ...settle(guardOf(options, this.limits)) }
    const { upstreamTimeout: headers, silence, connectTimeout: connect } = this.limits
    this.upstreams = new Upstreams(options.upstreams, options.default, { headers, silence, connect })
    this.keys = new Keys(options.keys ?? [])
    this.door = new Door(this.keys.needed, options.hosts ?? [])
    const store = options.store && withDeadline(options.store, this.limits.storeTimeout)
    this.sessions = store && new Sessions(store, this.settings, this.limits.storeTimeout)
  }

  /** Whether every request needs a key. */
  get guarded(): boolean {
    return this.keys.needed
  }

  /** Answers a request. Never rejects. */
  handle(incoming: Incoming): Promise<Outgoing> {
    const visit = new Visit(`${this.name}-${++this.count}`, incoming.method, this.metrics, this.options.log)
    const span = spanOf(this.settings.telemetry, incoming.method, incoming.headers)
    const hold = new Hold(this.metrics.buffered, this.limits.buffered)
    return span ? span.within(() => this.serve(incoming, visit, hold, span)) : this.serve(incoming, visit, hold)
  }

  /** All that is waited for stands here: each function that waits costs a small request as much as looking at its headers. */
  private async serve(incoming: Incoming, visit: Visit, hold: Hold, span?: RequestSpan): Promise<Outgoing> {
    let out: Outgoing
    try {
      const target = targetOf(incoming.target)
      const here = this.here(incoming, target, visit, hold)
      if (here) out = await here
      else {
        const caller = this.caller(incoming, target, visit)
        const way = this.upstreams.find(target, incoming.headers)
        visit.towards(way.upstream.name, way.path)
        refuseWebSocket(incoming.headers)
        const raw = await incoming.body(hold)
        visit.received(raw.length)
        const { settings, limits } = this
        out = await this.forward({ incoming, target, way, caller, visit, settings, raw, limit: limits.body, hold })
      }
      visit.answering()
    } catch (error) {
      out = this.refusal(incoming.signal.aborted ? new Problem('client-left', 'The client left.') : error, visit)
    }
    return told(out, visit, hold, span)
  }

  drain(): void {
    this.draining = true
    this.metrics.draining.value = 1
  }

  async close(): Promise<void> {
    await this.upstreams.close()
  }

  /** What this gateway answers itself; undefined: it goes to an upstream. */
  private here(incoming: Incoming, target: Target, visit: Visit, hold: Hold): Outgoing | Promise<Outgoing> | undefined {
    this.door.admit(incoming.headers)
    // It would be answered with the headers of the request, and the key that was put there.
    if (incoming.method === 'TRACE') throw new Problem('wrong-method', 'Nothing is traced here. Ask with GET or POST.')
    const { path } = target
    if (path.startsWith('/suture') && (path.length === 7 || path[7] === '/'))
      return this.own(incoming, target, visit, hold)
    if (this.closing) throw new Problem('shutting-down', 'This gateway is going away. Ask again: another one answers.')
    return path === '/' && !this.upstreams.hosted(incoming.headers) ? this.front(incoming) : undefined
  }

  private front({ method, headers }: Incoming): Outgoing {
    if (method !== 'GET' && method !== 'HEAD') throw new Problem('wrong-method', 'Ask with GET.')
    return front(this.guarded ? [] : this.upstreams.names, headers.get('accept') ?? '')
  }

  private forward(asking: Asking): Promise<Outgoing> {
    const found = guardedOf(asking)
    return found instanceof Promise ? found.then((guarded) => this.send(asking, guarded)) : this.send(asking, found)
  }

  private send(asking: Asking, guarded: Guarded | undefined): Promise<Outgoing> {
    const { derive = false } = this.options
    if (!guarded) {
      checkUnread(asking, derive)
      return passOn(asking)
    }
    const wish = wishOf(asking.incoming, derive)
    if (!wish) return throughGuard(guarded)
    if (this.sessions) return converse(guarded, wish, this.sessions, this.options.compactor)
    if (!wish.kept) return unrecorded(guarded, 'not-wired')
    throw new Problem('not-wired', 'This gateway keeps no sessions: start it with --store.')
  }

  private caller({ headers }: Incoming, { query, path }: Target, visit: Visit): Caller {
    checkHeaders(headers, () => modeOf(headers.get('suture'), this.settings))
    const caller = this.keys.caller(headers, query, path)
    visit.key = caller.key?.name
    const perMinute = caller.key?.perMinute ?? this.limits.perMinute
    if (this.keys.needed && perMinute > 0) this.rate.take(caller.scope(), perMinute)
    return caller
  }

  private async own(incoming: Incoming, target: Target, visit: Visit, hold: Hold): Promise<Outgoing> {
    const { path, query } = target
    visit.path = OWN.has(path) ? path : '/suture/…'
    if (path === API || path.startsWith(`${API}/`)) {
      visit.path = `${API}/…`
      const caller = this.caller(incoming, target, visit)
      if (!this.sessions) throw new Problem('not-wired', 'This gateway keeps no sessions: start it with --store.')
      const { method } = incoming
      const asked = { method, path: path.slice(API.length), query: new URLSearchParams(query), caller }
      return sessionApi(this.sessions, { ...asked, hold, body: () => incoming.body(hold) }, this.options.compactor)
    }
    if (incoming.method !== 'GET' && incoming.method !== 'HEAD') throw new Problem('wrong-method', 'Ask with GET.')
    switch (path) {
      case '/suture/health':
        return json(200, { status: this.draining ? 'draining' : 'up' })
      case '/suture/ready':
        return await this.ready()
      case '/suture/metrics':
        return text(this.metrics.text())
      case '/suture/openapi.json':
        return json(200, openapi(VERSION))
      default:
        throw new Problem('no-such-path', 'Nothing is here; /suture/openapi.json has what there is.')
    }
  }

  private async ready(): Promise<Outgoing> {
    if (this.draining) return json(503, { status: 'draining' })
    try {
      const { store } = this.options
      if (store)
        await within(READY, store.head('suture:ready'), () => new Problem('store-failed', 'The store is late.'))
      const upstreams = this.guarded ? {} : { upstreams: this.upstreams.names }
      return json(200, { status: 'ready', ...upstreams, store: store?.name ?? null })
    } catch {
      return json(503, { status: 'store-failed' })
    }
  }

  private refusal(error: unknown, visit: Visit): Outgoing {
    const problem = problemOf(error)
    visit.refused(problem, error)
    const headers = ['content-type', 'application/json', 'suture-error', problem.code]
    for (const [name, value] of Object.entries(problem.headers)) headers.push(name, value)
    return { status: problem.status, headers, body: problemBody(problem, visit.id) }
  }
}

/** Names the request to its client, and hears of its end. Until then its bytes are held: undici keeps a body as long as its answer comes. */
function told(out: Outgoing, visit: Visit, hold: Hold, span: RequestSpan | undefined): Outgoing {
  out.headers.push('suture-request-id', visit.id)
  const { over } = out
  out.over = (whole, broke) => {
    over?.(whole, broke)
    hold.end()
    visit.over(out.status, whole, broke)
    span?.end({ status: out.status, id: visit.id, upstream: visit.upstream, mode: visit.mode })
  }
  return out
}

/** A line of a stream is bounded more tightly than elsewhere; a wait of the caller's own gets a signal of the usual kind. */
function guardOf({ guard = {} }: GatewayOptions, { answer: longestAnswer }: Limits): GuardOptions {
  const { wait } = guard
  const waits = wait && { wait: (ms: number, signal?: AbortSignal) => wait(ms, realOf(signal)) }
  return { longestFrame: LONGEST_FRAME, longestAnswer, ...guard, ...waits }
}

function text(body: string): Outgoing {
  return { status: 200, headers: ['content-type', 'text/plain; version=0.0.4; charset=utf-8'], body: Buffer.from(body) }
}

function json(status: number, value: unknown): Outgoing {
  return { status, headers: ['content-type', 'application/json'], body: Buffer.from(JSON.stringify(value)) }
}
