/**
 * Cuts the oldest rounds off at the place that the planner chooses, and adds the note that replaces them. System
 * messages stay. A cut is remembered, so that the next request is cut at the same place and no summary is written
 * twice.
 */
import { type Dialect, Transcript } from '../../core/index.ts'
import { hashOf } from '../../strategies/shrink.ts'
import { type BoundRequest, historyOf, rebindReasoning, repairStrictly, withHistory } from './stricter-repair.ts'
import type { Attempt } from './types.ts'

type Place = Pick<Attempt, 'body' | 'service' | 'model' | 'memory'>

/** The repaired body after the cut, with the note for what was removed. */
export function cutAt(attempt: Attempt, at: number, instead: readonly unknown[]): BoundRequest {
  const hash = hashOf(historyOf(attempt).slice(0, at))
  attempt.memory.keep(beginningOf('cut', attempt), { at, hash, instead })
  return rebindReasoning({ ...attempt, body: after(attempt, at, instead) })
}

/** Applies the cuts of earlier requests of this conversation. */
export function reapplyCuts(place: Place): { body: Attempt['body']; dropped: number } {
  let { body } = place
  let dropped = 0
  for (let times = 0; times < 4; times++) {
    const history = historyOf({ ...place, body })
    const known = place.memory.note(beginningOf('cut', { ...place, body })) as
      | { at: number; hash: string; instead: readonly unknown[] }
      | undefined
    if (!known || known.at >= history.length || hashOf(history.slice(0, known.at)) !== known.hash) break
    body = after({ ...place, body }, known.at, known.instead)
    dropped += known.at
  }
  return { body, dropped }
}

/** By the beginning of the conversation; the hash of what is cut off confirms that it is the same one. */
export function beginningOf(what: 'cut' | 'round', place: Pick<Attempt, 'body' | 'service'>): string {
  return `${what}:${place.service.dialect.id}:${hashOf(withoutSystem(historyOf(place).slice(0, 8), place.service.dialect)[0])}`
}

function after(place: Omit<Place, 'memory'>, at: number, instead: readonly unknown[]): Attempt['body'] {
  const history = historyOf(place)
  const head = history.slice(0, at)
  const others = new Set(withoutSystem(head, place.service.dialect))
  const instructions = head.filter((message) => !others.has(message))
  const body = withHistory(place, [...instructions, ...instead, ...history.slice(at)])
  return repairStrictly({ ...place, body }, { rejectedBy: [] }).body
}

export function withoutSystem(messages: readonly unknown[], dialect: Dialect): readonly unknown[] {
  const transcript = new Transcript(messages, dialect)
  return messages.filter((_, i) => transcript.role(i) !== 'system')
}
