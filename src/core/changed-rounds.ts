/** Names of the rounds in which two versions of a history differ, for logs, plans and events. */
import type { Dialect } from './dialect.ts'
import { diffMessages } from './diff.ts'
import { Transcript } from './transcript.ts'
import { namesAt, roundsOf } from './turns.ts'

/** As the first history names them. A message that is only inserted belongs to the round before it. */
export function changedRounds(was: readonly unknown[], now: readonly unknown[], dialect: Dialect): readonly string[] {
  return was === now || was.length === 0 ? [] : changedRoundsOf(new Transcript(was, dialect), now)
}

/** As `changedRounds`, for a history that was read before. */
export function changedRoundsOf(transcript: Transcript, now: readonly unknown[]): readonly string[] {
  const places = new Set<number>()
  for (const edit of diffMessages(transcript.history, now)) {
    if (edit.op !== 'splice') continue
    if (edit.remove.length === 0) places.add(Math.max(0, edit.index - 1))
    for (let i = 0; i < edit.remove.length; i++) places.add(edit.index + i)
  }
  const ascending = [...places].sort((a, b) => a - b)
  return ascending.length === 0 ? [] : namesAt(roundsOf(transcript), ascending)
}
