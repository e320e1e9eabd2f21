/**
 * The lines of recorded conversations: finds or makes the one that a history continues, and what has to be written
 * there. A request reads a bounded number of branches.
 */
import { randomBytes } from 'node:crypto'
import { isSutureError, type JsonObject, Transcript } from '../../core/index.ts'
import type { Endpoint } from '../../guard/transport.ts'
import type { Replacement, Session } from '../../session/index.ts'
import { GatewayError } from '../gateway-error.ts'
import { LruCache } from '../lru.ts'
import { type Fit, fitOf } from './fit.ts'
import { type KnownMessage, Line, type ReadMessage, readMessages } from './line.ts'
import { textAt } from './message-content.ts'
import { type Decision, decide } from './placement.ts'
import type { KnownPrefix, SentHistory } from './prefix-cache.ts'
import { withLogIds } from './restore-ids.ts'
import { type Revision, revisionOf, type Sent } from './revision.ts'
import type { Sessions } from './sessions.ts'
import { type AgentTraits, traitsOf } from './turn-settings.ts'

/** Where a history continues, and what the log does not have yet. */
export interface LogPosition {
  readonly id: string
  readonly session: Session
  /** Messages to store: first those that take the place of others. */
  readonly rest: readonly unknown[]
  /** For each of them the position of an earlier version. */
  readonly versionsOf?: readonly (number | undefined)[]
  readonly replaces?: readonly Replacement[]
  /** The end of the log when this was determined. */
  readonly head: number
  /** Called when the messages and the reply are stored. */
  readonly stored?: (positions: readonly number[], reply: StoredReply) => void
}

export interface StoredReply {
  readonly messages: readonly unknown[]
  readonly positions: readonly number[]
  readonly head: number
}

/** A history that a client sends, and what is known about it. */
export interface SentConversation {
  readonly scope: string
  readonly id: string
  readonly endpoint: Endpoint
  readonly list: readonly unknown[]
  readonly model: string | undefined
  /** System prompt and tools. */
  readonly settings?: JsonObject | undefined
  /** Its bytes, if they are known. */
  readonly sent?: SentHistory | undefined
  /** The line was changed while the request was answered. */
  readonly isLate?: boolean
}

/** At most this many branches of one session are read to find where a history continues. */
const BRANCHES = 20
/** Lines that are kept read, for this many milliseconds. */
const READ = 64
const READ_FOR = 60_000
/** Number of sessions that are remembered, with the ends of their latest branches. */
const REMEMBERED = 10_000
const PREFIXES = 16

export class Lines {
  private readonly sessions: Sessions
  private readonly prefixes = new LruCache<readonly KnownPrefix[]>(REMEMBERED)
  private readonly read = new LruCache<Line>(READ, READ_FOR)

  constructor(sessions: Sessions) {
    this.sessions = sessions
  }

  async place(given: SentConversation): Promise<LogPosition> {
    return (await this.fromPrefix(given)) ?? this.searched(given)
  }

  /** Remembers where a history ended, so that its next request is found without reading the log. */
  remember(
    { scope, id, endpoint, sent }: SentConversation,
    at: { id: string; head: number },
    reply: readonly unknown[],
  ) {
    if (!sent) return
    const name = this.sessions.fullId(scope, id)
    const others = (this.prefixes.get(name) ?? []).filter((one) => one.id !== at.id)
    const prefix = sent.prefix(at.id, at.head, reply, endpoint.service.dialect)
    this.prefixes.set(name, [...others.slice(1 - PREFIXES), prefix])
  }

  forget(name: string): void {
    this.prefixes.delete(name)
    this.read.delete(name)
  }

  private async fromPrefix(given: SentConversation): Promise<LogPosition | undefined> {
    const { scope, id, endpoint, list, model, sent } = given
    const { dialect } = endpoint.service
    const prefixes = sent && this.prefixes.get(this.sessions.fullId(scope, id))
    const best = prefixes && sent.continued(prefixes, list, dialect)
    if (!best) return undefined
    const session = await this.sessions.open(scope, best.prefix.id, endpoint, model)
    if (session.head !== best.prefix.head) return undefined
    const rest = withLogIds(list.slice(best.count), best.ids, dialect)
    return { id: best.prefix.id, session, rest, head: session.head }
  }

  private async searched(given: SentConversation): Promise<LogPosition> {
    const sent = sentOf(given)
    const main = await this.line(given.id, given)
    const fits = main ? [fitOf(main, sent.messages)] : []
    const isKnown = fits.some((fit) => isContinued(fit, sent.messages))
    const names = isKnown ? [] : await this.named(given)
    for (const name of names.slice(-BRANCHES).reverse()) {
      const line = await this.line(name, given)
      if (line) fits.push(fitOf(line, sent.messages))
    }
    const { dialect } = given.endpoint.service
    const decision = await decide(fits, {
      sent,
      traits: traitsOf(given.settings, systemTexts(sent), dialect),
      traitsOf: (line) => traitsOfLine(line),
      isLate: given.isLate === true,
    })
    return this.carriedOut(decision, given, sent, names)
  }

  private async carriedOut(
    decision: Decision,
    given: SentConversation,
    sent: Sent,
    names: readonly string[],
  ): Promise<LogPosition> {
    if (decision.kind === 'revise') {
      if (decision.leave) await this.branch(given, names, decision.fit.line.session, false)
      return positionOf(decision.fit, given, sent)
    }
    const isAside = decision.kind === 'aside'
    const from = isAside ? await this.mainSession(given) : decision.fit.line.session
    const line = (await this.reusable(given, names, from, isAside)) ?? (await this.branch(given, names, from, isAside))
    return positionOf(fitOf(line, sent.messages), given, sent)
  }

  /** The latest line that was made for a request that was rejected, or for a side request that was never continued. */
  private async reusable(
    given: SentConversation,
    names: readonly string[],
    from: Session,
    isAside: boolean,
  ): Promise<Line | undefined> {
    for (const name of names.slice(-BRANCHES).reverse()) {
      const line = given.isLate ? undefined : await this.line(name, given)
      if (line?.isAside === isAside && (line.isUnusedOf(from.id) || (isAside && line.replies === 1))) return line
    }
    return undefined
  }

  /** A line with all that is known about it. Undefined for a session of another dialect: no history continues in it. */
  private async line(name: string, given: SentConversation): Promise<Line | undefined> {
    const session = await this.opened(name, given)
    if (!session) return undefined
    const key = this.sessions.fullId(given.scope, name)
    const known = this.read.get(key)
    if (known?.head === session.head) {
      // The same log, maybe opened for another model.
      known.session = session
      return known
    }
    const { base } = await session.lineage()
    const line = new Line(name, session, base, await session.entries({ revisions: true }))
    this.read.set(key, line)
    return line
  }

  private async opened(name: string, { scope, endpoint, model }: SentConversation): Promise<Session | undefined> {
    try {
      return await this.sessions.open(scope, name, endpoint, model)
    } catch (error) {
      if (error instanceof GatewayError) return undefined
      throw error
    }
  }

  private async mainSession({ scope, id }: SentConversation): Promise<Session> {
    return (await this.sessions.known(scope, id)).session
  }

  /** The branches of a session, in the order of their numbers. */
  private async named({ scope, id }: SentConversation): Promise<readonly string[]> {
    const branches = await this.sessions.branchesOf(scope, id)
    const names = branches.map((branch) => branch.id).filter((name) => name.startsWith(`${id}~`))
    return names.sort((a, b) => numberOf(a) - numberOf(b))
  }

  /** The branch with the next number; if another process has just taken it, one with a random name. */
  private async branch(
    given: SentConversation,
    names: readonly string[],
    from: Session,
    empty: boolean,
  ): Promise<Line> {
    const name = `${given.id}~${Math.max(1, ...names.map(numberOf)) + 1}`
    for (const id of [name, `${name}-${randomBytes(6).toString('hex')}`]) {
      try {
        // A session of another dialect has no branch in this one: the line is a session of its own.
        if (from.wiring.service.dialect.id === given.endpoint.service.dialect.id)
          await from.branch(this.sessions.fullId(given.scope, id), { empty })
        const line = await this.line(id, given)
        if (line) return line
      } catch (error) {
        if (!isSutureError(error, 'conflict')) throw error
      }
    }
    throw new GatewayError('conflict', 'A branch of this session could not be created. Retry.')
  }
}

function numberOf(name: string): number {
  return Number(/~(\d+)(?:-[0-9a-f]{12})?$/.exec(name)?.[1] ?? 1)
}

function sentOf({ list, endpoint }: SentConversation): Sent {
  const transcript = new Transcript(list, endpoint.service.dialect)
  return { transcript, messages: readMessages(list, transcript) }
}

/** The last reply in the history is one of this line: no other line needs to be read. */
function isContinued({ anchor, dropped }: Fit, sent: readonly ReadMessage[]): boolean {
  const last = sent.findLastIndex(({ kind, content }) => kind === 'reply' && content !== '')
  return last >= 0 && anchor === last && dropped === 0
}

function systemTexts({ messages, transcript }: Sent): readonly string[] {
  return messages.flatMap(({ kind }, i) => (kind === 'system' ? [textAt(transcript, i)] : []))
}

async function traitsOfLine({ messages, session }: Line): Promise<AgentTraits> {
  const { dialect } = session.wiring.service
  const system = messages.filter(({ kind }) => kind === 'system').map(({ message }) => message)
  const transcript = new Transcript(system, dialect)
  const texts = system.map((_, i) => textAt(transcript, i))
  return traitsOf((await session.settings()) as JsonObject | undefined, texts, dialect)
}

function positionOf(fit: Fit, { list, endpoint }: SentConversation, sent: Sent): LogPosition {
  const { name: id, session } = fit.line
  const revision = revisionOf(fit, sent)
  const rest = revision.rest.map(({ index }) => list[index])
  return {
    id,
    session,
    rest: withLogIds(rest, revision.ids, endpoint.service.dialect),
    versionsOf: revision.rest.map(({ versionOf }) => versionOf),
    replaces: revision.replaces,
    head: session.head,
    stored: (positions, reply) => fit.line.moved(movedTo(revision, sent, positions, reply, fit.line), reply.head),
  }
}

/** The messages of the line after this was stored. */
function movedTo(
  { rest, next }: Revision,
  { messages }: Sent,
  positions: readonly number[],
  reply: StoredReply,
  { session }: Line,
): readonly KnownMessage[] {
  const seqs = new Map(rest.map(({ index }, i) => [index, positions[i]!]))
  const known = (read: ReadMessage, seq: number): KnownMessage => {
    return { ...read, seq, optional: read.content === '', incomplete: false }
  }
  const replies = readMessages(reply.messages, new Transcript(reply.messages, session.wiring.service.dialect))
  return [
    ...next.map((one) => (typeof one === 'number' ? known(messages[one]!, seqs.get(one)!) : one)),
    ...replies.map((read, i) => known(read, reply.positions[i]!)),
  ]
}
