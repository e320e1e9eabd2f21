/**
 * Makes tool results shorter, the largest first, as many as the overflow asks for.
 */
import { shrink } from '../../strategies/shrink.ts'
import { bound, historyOf, withHistory } from './mend.ts'
import { needOf, roomOf, totalOf } from './sizes.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const shrinkResults: Recovery = { id: 'shrink', most: 3, try: shrinkThem }

function shrinkThem(attempt: Attempt): Recovered | undefined {
  const { service, memory, options, tried } = attempt
  const need = needOf(attempt, tried.filter((id) => id === 'shrink').length)
  const { history, shrunk, saved } = shrink(historyOf(attempt), {
    dialect: service.dialect,
    need,
    room: roomOf(attempt),
    memory,
    estimate: options.estimate,
    hint: options.hint,
    media: options.shrinkMedia,
  })
  // Next to nothing: it would be refused again.
  if (shrunk.length === 0 || saved < need / 100) return undefined
  const body = withHistory(attempt, history)
  const report = { shrunk, saved, need, total: totalOf(attempt) }
  return { id: 'shrink', ...bound({ ...attempt, body }), report }
}
