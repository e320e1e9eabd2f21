/**
 * Opt-in: the oldest rounds leave the request, as many as the reported overflow asks for.
 */
import { cutAt, cutFor } from './cut.ts'
import { bound } from './mend.ts'
import { needOf } from './sizes.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const dropRounds: Recovery = { id: 'drop-rounds', most: 3, try: drop }

function drop(attempt: Attempt): Recovered | undefined {
  if (attempt.options.dropRounds !== true) return undefined
  const need = needOf(attempt, attempt.tried.filter((id) => id === 'drop-rounds').length)
  const cut = cutFor(attempt, need)
  if (!cut) return undefined
  const body = cutAt(attempt, cut, cut.preamble)
  return { id: 'drop-rounds', ...bound({ ...attempt, body }), report: { dropped: cut.at, kept: cut.tail.length, need } }
}
