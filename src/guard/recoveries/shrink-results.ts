/** Shortens tool results, the largest first, as many as the overflow requires. */
import type { Group } from '../../core/index.ts'
import { shrink } from '../../strategies/shrink.ts'
import { heaviest } from './drop-round.ts'
import { historyOf, rebindReasoning, withHistory } from './stricter-repair.ts'
import { extraHeadroom, tokensOfRequest, tokensToRemove } from './token-budget.ts'
import { type Attempt, type Recovered, type Recovery, timesTried } from './types.ts'

export const shrinkResults: Recovery = { id: 'shrink', maxTimes: 3, try: shrinkThem }
/** Results of all rounds, if one round could neither be shrunk enough nor dropped. */
export const shrinkRest: Recovery = { id: 'shrink', maxTimes: 3, try: (attempt) => shrinkIn(attempt) }

/** The one round that is most of the excess, if shrinking it suffices. */
function shrinkThem(attempt: Attempt): Recovered | undefined {
  const isFirst = timesTried(attempt, 'shrink') === 0
  return shrinkIn(attempt, isFirst ? heaviest(attempt, tokensToRemove(attempt, 'shrink')) : undefined)
}

/** `round`: only its results. */
function shrinkIn(attempt: Attempt, round?: Group): Recovered | undefined {
  const need = tokensToRemove(attempt, 'shrink')
  const { service, memory, options } = attempt
  const { history, shrunk, saved } = shrink(historyOf(attempt), {
    ...(round ? { within: [round.start, round.end] as const, worth: need } : {}),
    dialect: service.dialect,
    need,
    headroom: extraHeadroom(attempt),
    memory,
    estimate: options.estimate,
    hint: options.hint,
    media: options.shrinkMedia,
  })
  // Almost nothing would be saved: the request would be rejected again.
  if (shrunk.length === 0 || saved < need / 100) return undefined
  const body = withHistory(attempt, history)
  const report = { shrunk, saved, need, total: tokensOfRequest(attempt) }
  return { id: 'shrink', ...rebindReasoning({ ...attempt, body }), report }
}
