/**
 * What is known about a line of a conversation: its messages, and those that others took the place of. A session is a
 * line, and so is each of its branches.
 */
import { Transcript } from '../../core/index.ts'
import type { Base, LoggedMessage, Session } from '../../session/index.ts'
import { contentAt, type MessageContent, textAt } from './message-content.ts'

/** A message with what of it counts. */
export interface ReadMessage extends MessageContent {
  readonly message: unknown
  readonly kind: 'system' | 'input' | 'reply'
}

/** A message of the log. */
export interface KnownMessage extends ReadMessage {
  readonly seq: number
  /** A client need not have it: a synthetic result, or a message without content. */
  readonly optional: boolean
  readonly incomplete: boolean
}

export function readMessages(messages: readonly unknown[], transcript: Transcript): readonly ReadMessage[] {
  return messages.map((message, i) => {
    const role = transcript.role(i)
    const kind = transcript.isAssistant(i) ? 'reply' : role === 'system' ? 'system' : 'input'
    return { message, kind, ...contentAt(transcript, i) }
  })
}

/** A reply of which the client saw the end. */
export function isReply({ kind, optional, incomplete }: KnownMessage): boolean {
  return kind === 'reply' && !optional && !incomplete
}

/** A message shorter than this is stored whole. */
const LONG = 400
const START = 48

export class Line {
  readonly name: string
  session: Session
  /** Where it begins, if it is a branch. */
  private readonly base: Base | undefined
  head: number
  messages: readonly KnownMessage[]
  /** Messages that left the line, by content. */
  private readonly past = new Map<string, KnownMessage[]>()
  /** Positions of long messages, by how their text begins. */
  private readonly starts = new Map<string, number>()
  private latestLong: number | undefined

  constructor(name: string, session: Session, base: Base | undefined, entries: readonly LoggedMessage[]) {
    this.name = name
    this.session = session
    this.base = base
    this.head = session.head
    const list = entries.map(({ message }) => message)
    const transcript = new Transcript(list, session.wiring.service.dialect)
    const known = readMessages(list, transcript).map((read, i) => this.known(read, entries[i]!))
    this.messages = known.filter((_, i) => entries[i]!.replacedAt === undefined)
    for (const [i, one] of known.entries()) if (entries[i]!.replacedAt !== undefined) this.leaves(one)
    for (const [i, one] of known.entries()) this.remember(one.seq, transcript, i)
  }

  /** The messages and the end of the log after an append of this gateway. */
  moved(messages: readonly KnownMessage[], head: number): void {
    const present = new Set(messages)
    for (const one of this.messages) if (!present.has(one)) this.leaves(one)
    for (const one of messages) this.returns(one)
    const before = new Set(this.messages)
    const added = messages.filter((one) => !before.has(one))
    const transcript = new Transcript(
      added.map(({ message }) => message),
      this.session.wiring.service.dialect,
    )
    for (const [i, { seq }] of added.entries()) this.remember(seq, transcript, i)
    this.messages = messages
    this.head = head
  }

  /** Messages of this content that left the line. */
  left(content: string): readonly KnownMessage[] {
    return content === '' ? [] : (this.past.get(content) ?? [])
  }

  /** The position of a long message that this one may share most with. */
  similarTo(transcript: Transcript, message: number): number | undefined {
    const text = textAt(transcript, message)
    return text.length < LONG ? undefined : (this.starts.get(startOf(transcript, message, text)) ?? this.latestLong)
  }

  /** It shares nothing with the session that it belongs to. */
  get isAside(): boolean {
    return this.base?.head === 0
  }

  /** A branch off this session without messages of its own: the request that it was made for was rejected. */
  isUnusedOf(session: string): boolean {
    const { base } = this
    if (base?.session !== session || this.session.proposed.length > 0) return false
    return [...this.messages, ...[...this.past.values()].flat()].every(({ seq }) => seq <= base.head)
  }

  get replies(): number {
    return this.messages.filter(isReply).length
  }

  private known(read: ReadMessage, { position: seq, synthetic, incomplete }: LoggedMessage): KnownMessage {
    return { ...read, seq, optional: synthetic !== undefined || read.content === '', incomplete: incomplete === true }
  }

  private leaves(message: KnownMessage): void {
    const others = this.past.get(message.content) ?? []
    this.past.set(message.content, [...others, message])
  }

  private returns(message: KnownMessage): void {
    const others = this.past.get(message.content)?.filter(({ seq }) => seq !== message.seq)
    if (others) this.past.set(message.content, others)
  }

  private remember(seq: number, transcript: Transcript, message: number): void {
    const text = textAt(transcript, message)
    if (text.length < LONG) return
    this.starts.set(startOf(transcript, message, text), seq)
    if (!transcript.isAssistant(message) && transcript.role(message) !== 'system') this.latestLong = seq
  }
}

function startOf(transcript: Transcript, message: number, text: string): string {
  return `${transcript.role(message)} ${text.slice(0, START)}`
}
