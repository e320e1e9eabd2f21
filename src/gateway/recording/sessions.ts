/**
 * Opens and lists the sessions of callers, each within its scope. `lines.ts` finds where a recorded history
 * continues.
 */
import { isSutureError } from '../../core/index.ts'
import { type Endpoint, providerNamed, repairTargetFor, type Settings } from '../../guard/transport.ts'
import { openSession, type Session, type Store } from '../../session/index.ts'
import { GatewayError } from '../gateway-error.ts'
import { LruCache } from '../lru.ts'
import { Lines } from './lines.ts'

/** What is known about a session without opening it. */
export interface SessionInfo {
  readonly provider: string
  readonly dialect: string
  readonly model?: string
}

/** When a session was last sent, in milliseconds, and the tokens that were counted. */
export interface LastSent {
  readonly at: number
  readonly usage?: { readonly input: number; readonly output?: number }
}

/** A line of a conversation that begins at a position of another one. */
export interface Branch {
  readonly id: string
  readonly from: string
  /** The position in the log of that one; 0: it shares nothing. */
  readonly at: number
}

/** How the id of a branch ends: it has a number, and a random part if two processes wanted the same number. */
const BRANCH = /~\d+(-[0-9a-f]{12})?$/

/** Sessions that are kept open, for this many milliseconds. */
const OPEN = 32
const OPEN_FOR = 60_000
/** Sessions whose provider, latest use and beginning are remembered. */
const REMEMBERED = 10_000

export class Sessions {
  readonly store: Store
  /** Milliseconds that the response of a recorded request may wait until it is stored; 0: no limit. */
  readonly deadline: number
  private readonly settings: Settings
  private readonly opened = new LruCache<Session>(OPEN, OPEN_FOR)
  private readonly abouts = new LruCache<SessionInfo>(REMEMBERED)
  readonly lines = new Lines(this)
  private readonly sent = new LruCache<LastSent>(REMEMBERED)

  constructor(store: Store, settings: Settings, deadline = 0) {
    this.store = store
    this.settings = settings
    this.deadline = deadline
  }

  /** Opens a session for a request and reads it up to its end. A new session stores its provider. */
  async open(scope: string, id: string, endpoint: Endpoint, model?: string): Promise<Session> {
    const key = [scope, id, endpoint.provider, endpoint.service.dialect.id, model].join('\n')
    const held = this.opened.get(key)
    if (held) {
      const { head } = held
      // A session that was deleted meanwhile is not in the cache any more.
      if (head > 0 && (await held.refresh()) >= head) return held
      this.forget(scope, id)
    }
    const session = await this.fresh(scope, id, endpoint, model)
    this.opened.set(key, session)
    return session
  }

  /** The same, but read again: `found` has the calls that are open now. */
  async fresh(scope: string, id: string, endpoint: Endpoint, model?: string): Promise<Session> {
    const { service } = endpoint
    const name = this.fullId(scope, id)
    const session = await this.wired(name, endpoint.provider, endpoint, model)
    let about = session.head === 0 ? undefined : (this.abouts.get(name) ?? (await this.about(name, session.head)))
    if (about && about.dialect !== service.dialect.id) throw otherDialect(about.dialect, service.dialect.id)
    if (!about) {
      about = infoOf(endpoint, model)
      await session.mark('note', { gateway: about })
    }
    this.abouts.set(name, about)
    return session
  }

  /** When this gateway last sent a session, and the tokens that the provider reported. */
  lastSent(name: string): LastSent | undefined {
    return this.sent.get(name)
  }

  /** Records that the session was sent now, and answered. */
  wasSent(name: string, usage: LastSent['usage']): void {
    this.sent.set(name, { at: Date.now(), ...(usage ? { usage } : {}) })
  }

  /** Drops everything that is cached about a session. */
  forget(scope: string, id: string): void {
    this.abouts.delete(this.fullId(scope, id))
    this.lines.forget(this.fullId(scope, id))
  }

  /** Opens an existing session by its id. */
  async known(scope: string, id: string): Promise<{ session: Session; about: SessionInfo }> {
    const name = this.fullId(scope, id)
    const { head } = await this.store.head(name)
    const about = head === 0 ? undefined : await this.about(name, head)
    if (!about)
      throw new GatewayError(
        'no-such-session',
        'This key has no session with this id. GET /suture/v1/sessions lists the ids.',
      )
    return { session: await this.wired(name, about.provider, endpointNamed(about), about.model), about }
  }

  /** Ids of a caller's sessions after this one. */
  async list(scope: string, after: string, limit: number): Promise<readonly string[]> {
    const prefix = `${scope}/`
    const found = await this.store.list(prefix + after, limit)
    return found.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  }

  /** The branches of a session and their branches, with where each begins. */
  async branchesOf(scope: string, id: string): Promise<readonly Branch[]> {
    const prefix = `${scope}/`
    const found: Branch[] = []
    for (const name of (await this.store.lineage(prefix + id)).branches) {
      const { base } = await this.store.lineage(name)
      const branch = { id: name.slice(prefix.length), from: id, at: base?.head ?? 0 }
      found.push(branch, ...(await this.branchesOf(scope, branch.id)))
    }
    return found
  }

  /** Ids of conversations after this one: sessions without the branches that this gateway made. */
  async conversations(scope: string, after: string, limit: number): Promise<readonly string[]> {
    const found: string[] = []
    for (let last = after; ; ) {
      const ids = await this.list(scope, last, limit)
      for (const id of ids) if (!(await this.isBranch(scope, id))) found.push(id)
      if (found.length >= limit || ids.length < limit) return found.slice(0, limit)
      last = ids.at(-1)!
    }
  }

  private async isBranch(scope: string, id: string): Promise<boolean> {
    return BRANCH.test(id) && (await this.store.lineage(this.fullId(scope, id))).base !== undefined
  }

  /** The id of a session in the store. */
  fullId(scope: string, id: string): string {
    return `${scope}/${id}`
  }

  private wired(name: string, provider: string, endpoint: Endpoint, model: string | undefined): Promise<Session> {
    const { service, rules, policy } = repairTargetFor(endpoint, this.settings)
    return openSession(this.store, name, {
      provider,
      service,
      rules,
      policy,
      model,
      openCallCause: 'lost',
      // The list of sessions shows when each was last active, also after a restart.
      clock: () => new Date().toISOString(),
    }).catch((error: unknown) => {
      if (!isSutureError(error, 'unknown-dialect')) throw error
      throw otherDialect(String(error.detail.stored), service.dialect.id)
    })
  }

  /** Written as the first record; in a fork after the records that were copied. */
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

export function infoOf({ provider, service }: Endpoint, model: string | undefined): SessionInfo {
  return { provider, dialect: service.dialect.id, ...(model === undefined ? {} : { model }) }
}

function otherDialect(stored: string, requested: string): GatewayError {
  return new GatewayError(
    'bad-session',
    `This session is stored in the dialect ${stored}, but the request is in ${requested}. Use another session id.`,
  )
}

function endpointNamed({ provider, dialect }: SessionInfo): Endpoint {
  const service = providerNamed(provider).serves.find((one) => one.dialect.id === dialect)
  if (service) return { provider, service, model: undefined, opaque: false, known: true }
  throw new GatewayError(
    'bad-session',
    `No provider of this gateway serves the dialect of this session, ${dialect}. Add an upstream that does.`,
  )
}
