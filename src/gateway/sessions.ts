/**
 * Sessions of callers: who may see which, where a history goes on, and where it parts from what is in the log.
 */
import { isSutureError } from '../core/index.ts'
import { type Endpoint, providerNamed, type Settings, targetOf } from '../guard/core.ts'
import { openSession, type Session, type Store } from '../session/index.ts'
import { match } from './match.ts'
import { Problem } from './problem.ts'
import { Recent } from './recent.ts'
import { knownIn, type Sent, type Trace } from './trace.ts'

/** What is known of a session without opening it. */
export interface About {
  readonly provider: string
  readonly dialect: string
  readonly model?: string
}

/** Where a history goes on. */
export interface Place {
  readonly id: string
  readonly session: Session
  /** The messages that the log does not have yet. */
  readonly rest: readonly unknown[]
  /** Where the log ended when this was found out. */
  readonly head: number
}

/** How a session was last sent: when, in milliseconds, and the tokens that were counted. */
export interface LastSent {
  readonly at: number
  readonly usage?: { readonly input: number; readonly output?: number }
}

/** A history that a client sends, and what is known of it. */
export interface Given {
  readonly scope: string
  readonly id: string
  readonly endpoint: Endpoint
  readonly list: readonly unknown[]
  readonly model: string | undefined
  /** Its bytes, where they can be told. */
  readonly sent?: Sent | undefined
}

/** So many branches of one session are looked at. */
const BRANCHES = 20
/** So many sessions are held as they were read, and for so long; of more only where they were left. */
const OPEN = 32
const OPEN_FOR = 60_000
const REMEMBERED = 10_000

export class Sessions {
  readonly store: Store
  private readonly settings: Settings
  private readonly opened = new Recent<Session>(OPEN, OPEN_FOR)
  private readonly abouts = new Recent<About>(REMEMBERED)
  private readonly traces = new Recent<Trace>(REMEMBERED)
  private readonly sent = new Recent<LastSent>(REMEMBERED)

  constructor(store: Store, settings: Settings) {
    this.store = store
    this.settings = settings
  }

  /** Opens a session for a request, up to date; a new one is told who serves it. */
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
    this.traces.delete(stored(scope, id))
  }

  /** Opens one that is there; for those who only have its id. */
  async known(scope: string, id: string): Promise<{ session: Session; about: About }> {
    const name = stored(scope, id)
    const { head } = await this.store.head(name)
    const about = head === 0 ? undefined : await this.about(name, head)
    if (!about) throw new Problem('no-such-session', 'No session of that id belongs to this key.')
    return { session: await this.wired(name, about, endpointNamed(about), about.model), about }
  }

  /** The branch that this history continues, or a new one that begins with what they have in common. */
  async place(given: Given): Promise<Place> {
    return (await this.traced(given)) ?? this.searched(given)
  }

  /** Where a history was left, so that its next request is found without reading the log. */
  remember({ scope, id, endpoint, sent }: Given, at: { id: string; head: number }, said: readonly unknown[]): void {
    if (sent) this.traces.set(stored(scope, id), sent.trace(at.id, at.head, said, endpoint.service.dialect))
  }

  private async traced({ scope, id, endpoint, list, model, sent }: Given): Promise<Place | undefined> {
    const trace = sent && this.traces.get(stored(scope, id))
    if (!trace || !sent.begins(trace)) return undefined
    const known = knownIn(trace, list, endpoint.service.dialect)
    if (known === undefined) return undefined
    const session = await this.open(scope, trace.id, endpoint, model)
    const { head } = session
    return head === trace.head ? { id: trace.id, session, rest: list.slice(known), head } : undefined
  }

  private async searched(given: Given): Promise<Place> {
    const { scope, id, endpoint, list, model } = given
    let best: { session: Session; logged: number } | undefined
    const names = [id, ...(await this.branches(scope, id))]
    for (const name of names) {
      const session = await this.open(scope, name, endpoint, model)
      const { head } = session
      const { whole, common, logged } = match(await session.entries(), list, endpoint.service.dialect)
      if (whole) return { id: name, session, rest: list.slice(common), head }
      if (!best || logged > best.logged) best = { session, logged }
    }
    return this.fork(given, names.length + 1, best!)
  }

  /** Ids of a caller's sessions behind this one. */
  async list(scope: string, after: string, limit: number): Promise<readonly string[]> {
    const prefix = `${scope}/`
    const found = await this.store.list(prefix + after, limit)
    return found.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  }

  /** A session under the id of a caller's own. */
  fullId(scope: string, id: string): string {
    return stored(scope, id)
  }

  private async branches(scope: string, id: string): Promise<readonly string[]> {
    const found = await this.list(scope, `${id}~`, BRANCHES)
    return found.filter((name) => name.startsWith(`${id}~`)).reverse()
  }

  private async fork(
    { scope, id, endpoint, list, model }: Given,
    number: number,
    from: { session: Session; logged: number },
  ): Promise<Place> {
    const turns = await from.session.turns()
    const turn = turns.filter((group) => group.end <= from.logged).length
    for (let n = number; n < number + BRANCHES; n++) {
      const name = `${id}~${n}`
      try {
        if (turn > 0) await from.session.fork(turn, stored(scope, name))
        const session = await this.open(scope, name, endpoint, model)
        const { head } = session
        const { whole, common } = match(await session.entries(), list, endpoint.service.dialect)
        if (whole) return { id: name, session, rest: list.slice(common), head }
      } catch (error) {
        // Somebody else has just made this one.
        if (!isSutureError(error, 'conflict')) throw error
      }
    }
    throw new Problem('conflict', 'This session has too many branches. Begin another one.')
  }

  private wired(name: string, about: About, endpoint: Endpoint, model: string | undefined): Promise<Session> {
    const { service, rules, policy } = targetOf(endpoint, this.settings)
    return openSession(this.store, name, { provider: about.provider, service, rules, policy, model, left: 'lost' })
  }

  /** Written as the first record; in a fork behind what it took over. */
  private async about(name: string, head: number): Promise<About | undefined> {
    for (let from = 1; from <= head; from += 200) {
      for (const { kind, body } of await this.store.read(name, from, Math.min(head, from + 199))) {
        if (kind !== 'mark' || !body.includes('"gateway"')) continue
        const about = (JSON.parse(body) as { detail?: { gateway?: About } }).detail?.gateway
        if (about) return about
      }
    }
    return undefined
  }
}

function otherDialect(its: string, asked: string): Problem {
  return new Problem('bad-session', `This session speaks ${its}, and the request ${asked}. Use another session id.`)
}

function stored(scope: string, id: string): string {
  return `${scope}/${id}`
}

function endpointNamed({ provider, dialect }: About): Endpoint {
  const service = providerNamed(provider).serves.find((one) => one.dialect.id === dialect)
  if (service) return { provider, service, model: undefined, opaque: false, known: true }
  throw new Problem('bad-session', `No provider here speaks the dialect of this session, ${dialect}.`)
}
