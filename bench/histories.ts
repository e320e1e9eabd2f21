/**
 * Histories to measure on, in the native shape of a subject: one long one, or conversations of 2 to 60 messages. All end with a prompt or with
 * results, about to be sent. They are made without any help of Suture, so that every build gets the same.
 */
import { Conversation, type Extent } from './conversation.ts'
import { type Random, seeded } from './random.ts'
import type { Subject } from './subjects.ts'
import { type Writer, writerOf } from './writers/index.ts'

const SEED = 20261116
const MOST_MESSAGES = 60
/** A turn of up to three rounds with several calls each rarely has more messages. */
const LONGEST_TURN = 12

/** One long valid history of about this many bytes of JSON. */
export function longHistory(subject: Subject, bytes: number): unknown[] {
  let size = 0
  return historyUntil(subject, {}, (turn) => {
    for (const message of turn) size += JSON.stringify(message).length
    return size >= bytes
  })
}

/** One valid history of at least this many messages, with short texts, parsed like a request. */
export function manyMessages(subject: Subject, messages: number): unknown[] {
  let count = 0
  const history = historyUntil(subject, { scale: 0.02 }, (turn) => {
    count += turn.length
    return count >= messages
  })
  return history.map((message) => JSON.parse(JSON.stringify(message)) as unknown)
}

function historyUntil(subject: Subject, extent: Extent, isEnough: (turn: unknown[]) => boolean): unknown[] {
  const { style, dialect } = subject
  const writer = writerOf(dialect)
  const conversation = new Conversation(seeded(SEED), style, extent)
  const history: unknown[] = [...writer.opening(style)]
  for (;;) {
    const turn = writer.turn(conversation.turn(false), style)
    for (const message of turn) history.push(message)
    if (isEnough(turn)) break
  }
  history.push(...writer.turn(conversation.turn(true), style))
  return history
}

/** Seeded conversations of 2 to 60 messages, of about this many bytes together. */
export function conversations(subject: Subject, bytes: number): unknown[][] {
  const random = seeded(SEED)
  const writer = writerOf(subject.dialect)
  const made: unknown[][] = []
  for (let size = 0; size < bytes; size += JSON.stringify(made.at(-1)).length)
    made.push(conversation(subject, writer, random, random.size(2, MOST_MESSAGES)))
  return made
}

/** Turns up to about this many messages, then a prompt with as many rounds as fit. */
function conversation({ style }: Subject, writer: Writer, random: Random, wanted: number): unknown[] {
  const talk = new Conversation(random, style)
  const history: unknown[] = [...writer.opening(style)]
  while (history.length < wanted - LONGEST_TURN)
    history.push(...writer.turn(talk.turnOf(random.below(4), false), style))
  const last = talk.turnOf(Math.max(0, (wanted - history.length) >> 1), true)
  for (let rounds = last.rounds.length; ; rounds--) {
    const turn = writer.turn({ ...last, rounds: last.rounds.slice(0, rounds) }, style)
    if (rounds === 0 || history.length + turn.length <= MOST_MESSAGES) return [...history, ...turn]
  }
}

/** A request of about 14 messages in 2.5 kB: turns of one round, and a prompt. */
export function smallRequest({ style, dialect }: Subject): unknown[] {
  const writer = writerOf(dialect)
  const talk = new Conversation(seeded(SEED), style, { scale: 0.02, narrow: true })
  const history: unknown[] = [...writer.opening(style, 0.02)]
  while (history.length < 11) history.push(...writer.turn(talk.turnOf(1, false), style))
  return [...history, ...writer.turn(talk.turnOf(0, true), style)]
}

/** Takes out every tenth message that holds nothing but results, or the results of every tenth that has them with their calls. */
export function broken(history: readonly unknown[], dialect: string, every = 10): unknown[] {
  return brokenEach([history], dialect, every)[0]!
}

/** The same over many conversations, counted through all of them. */
export function brokenEach(histories: readonly (readonly unknown[])[], dialect: string, every = 10): unknown[][] {
  const writer = writerOf(dialect)
  let seen = 0
  const isNext = () => ++seen % every === 0
  return histories.map((history) =>
    history.flatMap((message) => {
      if (writer.isResults(message)) return isNext() ? [] : [message]
      const open = writer.unanswered?.(message) ?? message
      return [open !== message && isNext() ? open : message]
    }),
  )
}
