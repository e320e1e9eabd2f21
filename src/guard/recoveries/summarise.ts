/**
 * Opt-in: the oldest rounds leave the request for a summary of them that the caller's own function writes.
 * An empty or failed summary, or one that is no shorter than what it stands for, changes nothing.
 */
import { cutAt } from './cut.ts'
import { bound, historyOf } from './mend.ts'
import { summarised } from './shorten.ts'
import { needOf } from './sizes.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const summarise: Recovery = { id: 'summarise', most: 2, try: summariseOldest }

async function summariseOldest(attempt: Attempt): Promise<Recovered | undefined> {
  const { summarise: write } = attempt.options
  if (!write) return undefined
  const need = needOf(attempt, attempt.tried.filter((id) => id === 'summarise').length)
  const cut = await summarised(attempt, need, write)
  if (!cut) return undefined
  const body = cutAt(attempt, cut)
  const { before, after } = cut.plan.tokens
  const report = { summarised: cut.at, kept: historyOf(attempt).length - cut.at, need, before, after }
  return { id: 'summarise', ...bound({ ...attempt, body }), report }
}
