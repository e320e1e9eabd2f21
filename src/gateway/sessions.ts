/**
 * Sessions of callers: who may see which, opened and listed. Where a recorded history goes on is found in `branches.ts`.
 */
import { isSutureError } from '../core/index.ts'
import { type Endpoint, providerNamed, repairTargetFor, type Settings } from '../guard/transport.ts'
import { openSession, type Session, type Store, sha256 } from '../session/index.ts'
import { Branches } from './branches.ts'
import { GatewayError } from './gateway-error.ts'
import type { Caller } from './keys.ts'
import { LruCache } from './lru.ts'
import { SessionMove } from './move-sessions.ts'

/** What is known of a session without opening it. */
export interface SessionInfo {
  readonly provider: string
  readonly dialect: string
  readonly model?: string
}

/** How a session was last sent: when, in milliseconds, and the tokens that were counted. */
export interface LastSent {
  readonly at: number
  readonly usage?: { readonly input: number; readonly output?: number }
}

/** So many sessions are held as they were read, and for so long; of more only where they were left. */
const OPEN = 32
const OPEN_FOR = 60_000
const REMEMBERED = 10_000

export class Sessions {
  readonly store: Store
  /** Milliseconds that the answer of a recorded request may wait for being stored; 0: no limit. */
  readonly deadline: number
  private readonly adoption: SessionMove
  private readonly settings: Settings
  private readonly opened = new LruCache<Session>(OPEN, OPEN_FOR)
  private readonly abouts = new LruCache<SessionInfo>(REMEMBERED)
  readonly branches = new Branches(this)
  private readonly sent = new LruCache<LastSent>(REMEMBERED)

  constructor(store: Store, settings: Settings, deadline = 0) {
    this.store = store
    this.settings = settings
    this.deadline = deadline
    this.adoption = new SessionMove(store, sha256)
  }

  /** Opens a session for a request, up to date; a new one stores its provider. */
  async open(scope: string, id: string, endpoint: Endpoint, model?: string): Promise<Session> {
    const key = [scope, id, endpoint.provider, endpoint.service.dialect.id, model].join('\n')
    const held = this.opened.get(key)
    if (held) {
      const { head } = held
      // One that was deleted meanwhile is none of these any more.
      if (head > 0 && (await held.refresh()) >= head) return held
      this.forget(scope, id)
    }
    const session = await this.fresh(scope, id, endpoint, model)
    this.opened.set(key, session)
    return session
  }

  /** The same, read anew: `found` says what is open in it by now. */
  async fresh(scope: string, id: string, endpoint: Endpoint, model?: string): Promise<Session> {
    const { provider, service } = endpoint
    const name = stored(scope, id)
    const session = await this.wired(name, { provider, dialect: service.dialect.id }, endpoint, model)
    let about = session.head === 0 ? undefined : (this.abouts.get(name) ?? (await this.about(name, session.head)))
    if (about && about.dialect !== service.dialect.id) throw otherDialect(about.dialect, service.dialect.id)
    if (!about) {
      about = { provider, dialect: service.dialect.id, ...(model === undefined ? {} : { model }) }
      await session.mark('note', { gateway: about })
    }
    this.abouts.set(name, about)
    return session
  }

  /** Before a session of this id is used: moves it here where an earlier version stored it. */
  adopt(caller: Caller, id: string): Promise<void> {
    return this.adoption.adopt({ scope: caller.scope(), former: caller.formerScope?.() }, id)
  }

  /** When this gateway last sent a session, and what the provider said of it. */
  lastSent(name: string): LastSent | undefined {
    return this.sent.get(name)
  }

  /** It was sent now, and answered. */
  wasSent(name: string, usage: LastSent['usage']): void {
    this.sent.set(name, { at: Date.now(), ...(usage ? { usage } : {}) })
  }

  /** Nothing that was remembered of it holds any more. */
  forget(scope: string, id: string): void {
    this.abouts.delete(stored(scope, id))
    this.branches.forget(stored(scope, id))
  }

  /** Opens one that is there; for those who only have its id. */
  async known(scope: string, id: string): Promise<{ session: Session; about: SessionInfo }> {
    const name = stored(scope, id)
    const { head } = await this.store.head(name)
    const about = head === 0 ? undefined : await this.about(name, head)
    if (!about)
      throw new GatewayError(
        'no-such-session',
        'This key has no session with this id. GET /suture/sessions lists the ids.',
      )
    return { session: await this.wired(name, about, endpointNamed(about), about.model), about }
  }

  /** Ids of a caller's sessions after this one. */
  async list(scope: string, after: string, limit: number): Promise<readonly string[]> {
    const prefix = `${scope}/`
    const found = await this.store.list(prefix + after, limit)
    return found.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  }

  /** The same for a caller, with those that an earlier version stored and that are not moved yet. */
  async listed(caller: Caller, after: string, limit: number): Promise<readonly string[]> {
    const own = await this.list(caller.scope(), after, limit)
    const former = caller.formerScope?.()
    if (former === undefined) return own
    const others = await this.list(former, after, limit)
    return others.length === 0 ? own : [...new Set([...own, ...others])].sort().slice(0, limit)
  }

  /** A session under the id of a caller's own. */
  fullId(scope: string, id: string): string {
    return stored(scope, id)
  }

  private wired(name: string, about: SessionInfo, endpoint: Endpoint, model: string | undefined): Promise<Session> {
    const { service, rules, policy } = repairTargetFor(endpoint, this.settings)
    const wiring = {
      provider: about.provider,
      service,
      rules,
      policy,
      model,
      openCallCause: 'lost' as const,
      // The list of sessions shows when each was last active, after a restart too.
      clock: () => new Date().toISOString(),
    }
    return openSession(this.store, name, wiring).catch((error: unknown) => {
      if (!isSutureError(error, 'unknown-dialect')) throw error
      throw otherDialect(String(error.detail.stored), service.dialect.id)
    })
  }

  /** Written as the first record; in a fork after what it took over. */
  private async about(name: string, head: number): Promise<SessionInfo | undefined> {
    for (let from = 1; from <= head; from += 200) {
      for (const { kind, body } of await this.store.read(name, from, Math.min(head, from + 199))) {
        if (kind !== 'mark' || !body.includes('"gateway"')) continue
        const about = (JSON.parse(body) as { detail?: { gateway?: SessionInfo } }).detail?.gateway
        if (about) return about
      }
    }
    return undefined
  }
}

function otherDialect(its: string, asked: string): GatewayError {
  return new GatewayError(
    'bad-session',
    `This session is stored in the dialect ${its}, but the request is in ${asked}. Use another session id.`,
  )
}

function stored(scope: string, id: string): string {
  return `${scope}/${id}`
}

function endpointNamed({ provider, dialect }: SessionInfo): Endpoint {
  const service = providerNamed(provider).serves.find((one) => one.dialect.id === dialect)
  if (service) return { provider, service, model: undefined, opaque: false, known: true }
  throw new GatewayError(
    'bad-session',
    `No provider of this gateway serves the dialect of this session, ${dialect}. Add an upstream that does.`,
  )
}
