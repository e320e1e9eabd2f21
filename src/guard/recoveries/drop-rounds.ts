/**
 * Opt-in: removes the oldest rounds, as many as the reported overflow requires. A note with a digest replaces them.
 */
import { cutAt } from './cut-history.ts'
import { planDrop } from './plan-cut.ts'
import { historyOf, rebindReasoning } from './stricter-repair.ts'
import { tokensToRemove } from './token-budget.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const dropRounds: Recovery = { id: 'drop-rounds', maxTimes: 3, try: drop }

function drop(attempt: Attempt): Recovered | undefined {
  if (attempt.options.dropRounds !== true) return undefined
  const need = tokensToRemove(attempt, attempt.tried.filter((id) => id === 'drop-rounds').length)
  const cut = planDrop(attempt, need)
  if (!cut) return undefined
  const body = cutAt(attempt, cut)
  const kept = historyOf(attempt).length - cut.at
  return { id: 'drop-rounds', ...rebindReasoning({ ...attempt, body }), report: { dropped: cut.at, kept, need } }
}
