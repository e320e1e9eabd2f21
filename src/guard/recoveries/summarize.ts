/**
 * Opt-in: the oldest rounds are replaced by a summary that the caller's function writes. An empty or failed summary, or one that is not
 * shorter than what it replaces, changes nothing.
 */
import { cutAt } from './cut-history.ts'
import { planSummary } from './plan-cut.ts'
import { historyOf, rebindReasoning } from './stricter-repair.ts'
import { tokensToRemove } from './token-budget.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const summarizeOldest: Recovery = { id: 'summarize', maxTimes: 2, try: trySummarize }

async function trySummarize(attempt: Attempt): Promise<Recovered | undefined> {
  const { summarize: write } = attempt.options
  if (!write) return undefined
  const need = tokensToRemove(attempt, attempt.tried.filter((id) => id === 'summarize').length)
  const cut = await planSummary(attempt, need, write)
  if (!cut) return undefined
  const body = cutAt(attempt, cut)
  const { before, after } = cut.plan.tokens
  const report = { summarized: cut.at, kept: historyOf(attempt).length - cut.at, need, before, after }
  return { id: 'summarize', ...rebindReasoning({ ...attempt, body }), report }
}
