/**
 * Ids that the provider does not know go: of items, and of the response to go on from. Calls keep theirs, they pair with their results.
 */
import { Transcript } from '../../core/index.ts'
import { rememberRepair } from './accepted-repairs.ts'
import { historyOf, repairStrictly } from './stricter-repair.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const forgetIds: Recovery = { id: 'forget-ids', maxTimes: 1, try: forget }

const IDS = ['item-id-not-persisted', 'item-id-other-connection'] as const
const PREVIOUS = 'previous-response-not-found'

function forget(attempt: Attempt): Recovered | undefined {
  const { rule } = attempt.rejection
  const previous = rule === PREVIOUS
  // A list with nothing of the model's in it is only what is new: without the response it goes on from, all that was said before would be lost.
  if (previous && !isWhole(attempt)) return undefined
  const rejectedBy = [...IDS, ...(previous ? [PREVIOUS] : [])]
  const { body, rules, edits } = repairStrictly(attempt, { rejectedBy })
  if (body === attempt.body) return undefined
  const report = { rule, ids: attempt.rejection.ids, rules, edits }
  return { id: 'forget-ids', body, report, accepted: rememberRepair(attempt, { rejectedBy }) }
}

function isWhole(attempt: Attempt): boolean {
  return new Transcript(historyOf(attempt), attempt.service.dialect).lastAssistant() >= 0
}
