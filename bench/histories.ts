/**
 * Histories to measure on, in the native shape of a subject: one long one, or conversations of 2 to 60 messages. All
 * end with a prompt or with results, about to be sent. They are made by seed, without the build that is measured, so
 * that every build gets the same.
 */
import { Conversation, type Extent } from './conversation.ts'
import { isResults, opening, unanswered, writeTurn } from './native.ts'
import { Sizes } from './random.ts'
import type { Subject } from './subjects.ts'

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
  const conversation = new Conversation(new Sizes(SEED), style, extent)
  const history = opening(style, dialect)
  for (;;) {
    const turn = writeTurn(conversation.turn(false), style, dialect, history.length)
    for (const message of turn) history.push(message)
    if (isEnough(turn)) break
  }
  history.push(...writeTurn(conversation.turn(true), style, dialect, history.length))
  return history
}

/** Seeded conversations of 2 to 60 messages, of about this many bytes together. */
export function conversations(subject: Subject, bytes: number): unknown[][] {
  const random = new Sizes(SEED)
  const made: unknown[][] = []
  for (let size = 0; size < bytes; size += JSON.stringify(made.at(-1)).length)
    made.push(conversation(subject, random, random.size(2, MOST_MESSAGES)))
  return made
}

/** Turns up to about this many messages, then a prompt with as many rounds as fit. */
function conversation({ style, dialect }: Subject, random: Sizes, wanted: number): unknown[] {
  const conversation = new Conversation(random, style)
  const history = opening(style, dialect)
  while (history.length < wanted - LONGEST_TURN)
    history.push(...writeTurn(conversation.turnOf(random.below(4), false), style, dialect, history.length))
  const last = conversation.turnOf(Math.max(0, (wanted - history.length) >> 1), true)
  for (let rounds = last.rounds.length; ; rounds--) {
    const turn = writeTurn({ ...last, rounds: last.rounds.slice(0, rounds) }, style, dialect, history.length)
    if (rounds === 0 || history.length + turn.length <= MOST_MESSAGES) return [...history, ...turn]
  }
}

/** A request of about 14 messages in 2.5 kB: turns of one round, and a prompt. */
export function smallRequest({ style, dialect }: Subject): unknown[] {
  const conversation = new Conversation(new Sizes(SEED), style, { scale: 0.02, narrow: true })
  const history = opening(style, dialect, 0.02)
  while (history.length < 11) history.push(...writeTurn(conversation.turnOf(1, false), style, dialect, history.length))
  return [...history, ...writeTurn(conversation.turnOf(0, true), style, dialect, history.length)]
}

/** Removes every tenth message that has only results, or the results of every tenth message that has both. */
export function broken(history: readonly unknown[], dialect: string, every = 10): unknown[] {
  let seen = 0
  const isNext = () => ++seen % every === 0
  return history.flatMap((message) => {
    if (isResults(message, dialect)) return isNext() ? [] : [message]
    const open = unanswered(message)
    return [open !== message && isNext() ? open : message]
  })
}

/** Without the results in its middle; an empty list if it has none. */
export function oneFault(history: readonly unknown[], dialect: string): unknown[][] {
  const places = history.flatMap((message, i) =>
    isResults(message, dialect) || unanswered(message) !== message ? [i] : [],
  )
  const at = places[places.length >> 1]
  if (at === undefined) return []
  const left = isResults(history[at], dialect) ? [] : [unanswered(history[at])]
  return [[...history.slice(0, at), ...left, ...history.slice(at + 1)]]
}
