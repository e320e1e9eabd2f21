/**
 * Finds where a recorded history continues: in its session or in a branch. A request looks at a bounded number of
 * branches; a history whose branch is not among them starts another one, with all its messages.
 */
import { randomBytes } from 'node:crypto'
import { type Dialect, isSutureError, Transcript } from '../../core/index.ts'
import type { Endpoint } from '../../guard/transport.ts'
import type { LoggedMessage, Replacement, Session } from '../../session/index.ts'
import { GatewayError } from '../gateway-error.ts'
import { LruCache } from '../lru.ts'
import { closePartial, giveResults } from './abandoned-branch.ts'
import { type Match, match } from './match-history.ts'
import { ownWordsAt } from './message-content.ts'
import type { KnownPrefix, SentHistory } from './prefix-cache.ts'
import { withLogIds } from './restore-ids.ts'
import type { Sessions } from './sessions.ts'

/** Where a history continues. */
export interface LogPosition {
  readonly id: string
  readonly session: Session
  /** The messages that the log does not have yet: first those that take the place of others. */
  readonly rest: readonly unknown[]
  readonly replaces?: readonly Replacement[]
  /** The end of the log when this was determined. */
  readonly head: number
}

/** A history that a client sends, and what is known about it. */
export interface SentConversation {
  readonly scope: string
  readonly id: string
  readonly endpoint: Endpoint
  readonly list: readonly unknown[]
  readonly model: string | undefined
  /** Its bytes, if they are known. */
  readonly sent?: SentHistory | undefined
  /** The line was changed meanwhile: a history that differs from it continues beside it. */
  readonly isLate?: boolean
}

/** At most this many branches of one session are read to find where a history continues. */
const BRANCHES = 20
/** Number of sessions that are remembered, with the ends of their latest branches. */
const REMEMBERED = 10_000
const PREFIXES = 16
/** Records at the start of a log that are read to see whether it can match. */
const START = 8

/** A session or branch whose log begins like the history. */
interface Candidate {
  readonly name: string
  readonly session: Session
  readonly found: Match
  readonly entries: readonly LoggedMessage[]
}

export class Branches {
  private readonly sessions: Sessions
  private readonly prefixes = new LruCache<readonly KnownPrefix[]>(REMEMBERED)

  constructor(sessions: Sessions) {
    this.sessions = sessions
  }

  /** The branch that this history continues, or a new one that begins with the messages they share. */
  async place(given: SentConversation): Promise<LogPosition> {
    return (await this.fromPrefix(given)) ?? this.searched(given)
  }

  /** Remembers where a history ended, so that its next request is found without reading the log. */
  remember(
    { scope, id, endpoint, sent }: SentConversation,
    at: { id: string; head: number },
    reply: readonly unknown[],
  ): void {
    if (!sent) return
    const name = this.sessions.fullId(scope, id)
    const others = (this.prefixes.get(name) ?? []).filter((one) => one.id !== at.id)
    const prefix = sent.prefix(at.id, at.head, reply, endpoint.service.dialect)
    this.prefixes.set(name, [...others.slice(1 - PREFIXES), prefix])
  }

  forget(name: string): void {
    this.prefixes.delete(name)
  }

  private async fromPrefix(given: SentConversation): Promise<LogPosition | undefined> {
    const { scope, id, endpoint, list, model, sent } = given
    const prefixes = sent && this.prefixes.get(this.sessions.fullId(scope, id))
    const best = prefixes && sent.continued(prefixes, list, endpoint.service.dialect)
    if (!best) return undefined
    const session = await this.sessions.open(scope, best.prefix.id, endpoint, model)
    if (session.head !== best.prefix.head) return undefined
    return positionIn({ name: best.prefix.id, session, found: best.found, entries: [] }, given)
  }

  private async searched(given: SentConversation): Promise<LogPosition> {
    let best: Candidate | undefined
    let revised: Candidate | undefined
    const transcript = new Transcript(given.list, given.endpoint.service.dialect)
    const names = [given.id, ...(await this.named(given))]
    for (const name of names) {
      const session = (await this.mayHold(name, given, transcript)) ? await this.opened(name, given) : undefined
      if (!session) continue
      const entries = await session.entries()
      const found = match(entries, transcript, !given.isLate)
      const line: Candidate = { name, session, found, entries }
      if (found.whole && found.changes.length === 0) return this.continued(given, line)
      if (found.whole) revised ??= line
      else if (found.logged > (best?.found.logged ?? 0)) best = line
    }
    if (revised) return this.continued(given, revised)
    return this.branch(given, names.length + 1, best)
  }

  private async continued(given: SentConversation, place: Candidate): Promise<LogPosition> {
    const skipped = place.found.skipped.map((i) => place.entries[i]!)
    await closePartial(place.session, skipped)
    return positionIn(place, given)
  }

  /** Undefined for a session of another dialect: a history never continues in it. */
  private async opened(name: string, { scope, endpoint, model }: SentConversation): Promise<Session | undefined> {
    try {
      return await this.sessions.open(scope, name, endpoint, model)
    } catch (error) {
      if (error instanceof GatewayError) return undefined
      throw error
    }
  }

  /** Whether a log begins like the history, by its first records: most logs need not be read further. */
  private async mayHold(name: string, { scope }: SentConversation, sent: Transcript): Promise<boolean> {
    const entries = await this.sessions.store.read(this.sessions.fullId(scope, name), 1, START)
    const stored = entries.flatMap(({ kind, body }) => (kind === 'message' ? wordsIn(body, sent.dialect) : []))
    const at = sent.history.findIndex((_, i) => ownWordsAt(sent, i) !== '')
    const first = at < 0 ? '' : ownWordsAt(sent, at)
    return stored.length === 0 || stored.some((words) => words.includes(first) || first.includes(words))
  }

  private async named({ scope, id }: SentConversation): Promise<readonly string[]> {
    const found = await this.sessions.list(scope, `${id}~`, BRANCHES)
    return found.filter((name) => name.startsWith(`${id}~`)).reverse()
  }

  /** The branch with the next number; if that is taken, or there are many, one with a random name. */
  private async branch(given: SentConversation, number: number, from: Candidate | undefined): Promise<LogPosition> {
    const unique = () => `${given.id}~${number}-${randomBytes(6).toString('hex')}`
    const names = number <= BRANCHES ? [`${given.id}~${number}`, unique()] : [unique()]
    for (const name of names) {
      const place = await this.begun(name, given, from)
      if (!place) continue
      if (from) await giveResults(from.session, given)
      return place
    }
    throw new GatewayError('conflict', 'A branch of this session could not be created. Retry.')
  }

  /** Undefined if another process has just created this branch. */
  private async begun(
    name: string,
    given: SentConversation,
    from: Candidate | undefined,
  ): Promise<LogPosition | undefined> {
    const { scope, endpoint, list } = given
    const turns = from ? await from.session.turns() : []
    const turn = turns.filter((group) => group.end <= from!.found.logged).length
    try {
      if (turn > 0) await from!.session.fork(turn, this.sessions.fullId(scope, name))
      const session = await this.opened(name, given)
      if (!session) return undefined
      const entries = await session.entries()
      const found = match(entries, new Transcript(list, endpoint.service.dialect))
      return found.whole ? positionIn({ name, session, found, entries }, given) : undefined
    } catch (error) {
      if (isSutureError(error, 'conflict')) return undefined
      throw error
    }
  }
}

function positionIn(
  { name: id, session, found, entries }: Candidate,
  { list, endpoint }: SentConversation,
): LogPosition {
  const { common, ids, changes } = found
  const changed = changes.flatMap(({ from, to }) => list.slice(from, to))
  const rest = withLogIds([...changed, ...list.slice(common)], ids, endpoint.service.dialect)
  const replaces = changes.map(({ at, end, from, to }): Replacement => {
    const by = to - from
    if (at === end) return { from: entries[at]!.position, by }
    return { from: entries[at]!.position, to: entries[end - 1]!.position, by }
  })
  return { id, session, rest, replaces, head: session.head }
}

/** None if the message has no words of its own. The empty text, which is in every other, if it cannot be read. */
function wordsIn(body: string, dialect: Dialect): readonly string[] {
  try {
    const { message } = JSON.parse(body) as { message?: unknown }
    const words = ownWordsAt(new Transcript([message], dialect), 0)
    return words === '' ? [] : [words]
  } catch {
    return ['']
  }
}
