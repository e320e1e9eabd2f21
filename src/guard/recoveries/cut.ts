/**
 * The oldest rounds cut off where the planner says, with what stands for them. What instructs the model stays.
 * A cut is remembered, so that the next request is cut at the same place and its summary is not written anew.
 */
import type { Part } from '../../core/index.ts'
import { hashOf } from '../../strategies/shrink.ts'
import { historyOf, mend, withHistory } from './mend.ts'
import type { Shortening } from './shorten.ts'
import type { Attempt } from './types.ts'

type Place = Pick<Attempt, 'body' | 'service' | 'model' | 'memory'>

/** The body behind the cut, mended, with what stands for the head before it. */
export function cutAt(attempt: Attempt, { at, head, instead }: Shortening): Attempt['body'] {
  attempt.memory.keep(beginningOf('cut', attempt), { at, hash: hashOf(head), instead })
  return after(attempt, at, instead)
}

/** The cuts that were made in earlier requests of this conversation. */
export function cutAgain(place: Place): { body: Attempt['body']; dropped: number } {
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

/** By how the conversation begins; that it is the same one is told by the hash of all that is cut off. */
export function beginningOf(what: 'cut' | 'round', place: Pick<Attempt, 'body' | 'service'>): string {
  return `${what}:${place.service.dialect.id}:${hashOf(spoken(historyOf(place).slice(0, 8), place)[0])}`
}

function after(place: Omit<Place, 'memory'>, at: number, instead: readonly unknown[]): Attempt['body'] {
  const history = historyOf(place)
  const head = history.slice(0, at)
  const told = new Set(spoken(head, place))
  const instructions = head.filter((message) => !told.has(message))
  const body = withHistory(place, [...instructions, ...instead, ...history.slice(at)])
  return mend({ ...place, body }, { refused: [] }).body
}

/** Without system messages: they are no part of the talk. */
function spoken(messages: readonly unknown[], { service }: Pick<Attempt, 'service'>): readonly unknown[] {
  const parts: Part[] = []
  return messages.filter((message, i) => service.dialect.read(message, i, parts) !== 'system')
}
