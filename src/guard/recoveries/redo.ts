/**
 * What earlier requests of a conversation needed, done to the next one before it is first sent: the same results shrunk to the same bytes,
 * the same cut, the same stricter mend, the same settings. Without it every request would be refused once more, and a prompt cache would never hit.
 */
import { shrinkAgain } from '../../strategies/shrink.ts'
import { cutAgain } from './cut.ts'
import { dropRoundsAgain } from './drop-round.ts'
import { bound, historyOf, mend, withHistory } from './mend.ts'
import { remembered } from './notes.ts'
import { setAgain } from './settings.ts'
import type { Attempt, Recovered } from './types.ts'

export type Before = Pick<Attempt, 'body' | 'headers' | 'service' | 'provider' | 'model' | 'memory'> &
  Partial<Pick<Attempt, 'options'>>

/** To be asked after the first repair and before the first send; undefined: nothing to do. */
export function redo(before: Before): Recovered | undefined {
  const { service, memory } = before
  if (memory.empty) return undefined
  const again = shrinkAgain(historyOf(before), { dialect: service.dialect, memory })
  const less = dropRoundsAgain({ ...before, body: withHistory(before, again.history) })
  const cut = cutAgain({ ...before, body: less.body })
  const note = remembered({ ...before, body: cut.body })
  const strictly = note && mend({ ...before, body: cut.body }, note)
  const mended = strictly?.body ?? cut.body
  // A setting is no edit: nothing that is bound to what stands before it minds.
  const held = mended === before.body ? { body: mended } : bound({ ...before, body: mended })
  const set = setAgain({ ...before, body: held.body })
  if (set.body === before.body) return undefined
  const fields = strictly && strictly.fields.length > 0 ? { fields: strictly.fields } : {}
  const rounds = less.rounds.length > 0 ? { rounds: less.rounds } : {}
  const done = { shrunk: again.ids, dropped: cut.dropped, ...rounds }
  const report = { ...done, refused: note?.refused ?? [], ...fields, ...set.report }
  return { id: 'redo', ...held, body: set.body, report }
}
