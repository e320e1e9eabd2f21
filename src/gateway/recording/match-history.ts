/**
 * Compares a history that a client sends with the log, in order. Where they differ, `revisions.ts` decides whether the
 * history is another version of the same conversation.
 */
import { Transcript } from '../../core/index.ts'
import type { LoggedMessage } from '../../session/index.ts'
import { contentAt, type MessageContent, NOTHING } from './message-content.ts'
import { Revisions } from './revisions.ts'

/** How far a list and a log agree. */
export interface Match {
  /** Number of messages of the list that are in the log, or take the place of messages of the log. */
  readonly common: number
  /** Number of messages of the log that are in the list. */
  readonly logged: number
  /** The whole log is in the list, as its beginning, but for `changes`. */
  readonly whole: boolean
  /** Call ids that the client writes differently; undefined: the log has none. */
  readonly ids: ReadonlyMap<string, string | undefined>
  /** Positions in the log of optional messages that the list does not have. */
  readonly skipped: readonly number[]
  /** Where the list has other messages than the log. */
  readonly changes: readonly Change[]
}

/** Messages [from, to) of the list take the place of messages [at, end) of the log. */
export interface Change {
  readonly at: number
  readonly end: number
  readonly from: number
  readonly to: number
}

/** The content of a message of the log. */
export interface LoggedContent extends MessageContent {
  /** The message is synthetic or incomplete: a client need not have it. */
  readonly optional: boolean
}

/** `isRevisable`: the list may be another version of the conversation. */
export function match(entries: readonly LoggedMessage[], sent: Transcript, isRevisable = false): Match {
  const stored = new Transcript(
    entries.map(({ message }) => message),
    sent.dialect,
  )
  const logged = entries.map(({ synthetic, incomplete }, i) => ({
    ...contentAt(stored, i),
    optional: synthetic !== undefined || incomplete === true,
  }))
  return matchContents(logged, sent, contentAt, isRevisable ? new Revisions(stored, logged, sent) : undefined)
}

/** The same for a log that was read before; `read` returns the content of a message in the form of the log. */
export function matchContents(
  entries: readonly LoggedContent[],
  sent: Transcript,
  read: (transcript: Transcript, message: number) => MessageContent,
  revisions?: Revisions,
): Match {
  const { history: list } = sent
  const ids = new Map<string, string | undefined>()
  const skipped: number[] = []
  const changes: Change[] = []
  let common = 0
  let logged = 0
  const contentHere = () => (common < list.length ? read(sent, common) : NOTHING)
  let next = contentHere()
  const goTo = (message: number) => {
    common = message
    next = contentHere()
  }
  while (logged < entries.length) {
    const entry = entries[logged]!
    while (common < list.length && entry.content !== '' && next.content === '') goTo(common + 1)
    if (common < list.length && next.content === entry.content) {
      pair(next.calls, entry.calls, ids)
      goTo(common + 1)
      logged++
      // A client may drop messages without content as well.
    } else if (entry.optional || entry.content === '') skipped.push(logged++)
    else {
      const change = revisions?.at(logged, common)
      if (!change) return { common, logged, whole: false, ids, skipped, changes }
      changes.push(change)
      logged = change.end
      goTo(change.to)
    }
  }
  return { common, logged, whole: true, ids, skipped, changes }
}

/** Calls of one message correspond by position. */
function pair(
  sent: MessageContent['calls'],
  logged: MessageContent['calls'],
  ids: Map<string, string | undefined>,
): void {
  sent.forEach((id, i) => {
    if (id === undefined) return
    if (id === logged[i]) ids.delete(id)
    else ids.set(id, logged[i])
  })
}
