/**
 * Opt-in: the oldest rounds leave the request, as many as the reported overflow asks for. A note stands for them, with a digest of what was said and done.
 */
import { cutAt } from './cut.ts'
import { bound, historyOf } from './mend.ts'
import { dropped } from './shorten.ts'
import { needOf } from './sizes.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const dropRounds: Recovery = { id: 'drop-rounds', most: 3, try: drop }

function drop(attempt: Attempt): Recovered | undefined {
  if (attempt.options.dropRounds !== true) return undefined
  const need = needOf(attempt, attempt.tried.filter((id) => id === 'drop-rounds').length)
  const cut = dropped(attempt, need)
  if (!cut) return undefined
  const body = cutAt(attempt, cut)
  const kept = historyOf(attempt).length - cut.at
  return { id: 'drop-rounds', ...bound({ ...attempt, body }), report: { dropped: cut.at, kept, need } }
}
