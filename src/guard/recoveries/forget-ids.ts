/**
 * Removes ids that the provider does not know: of items, and of the previous response. Calls keep their ids, which pair them with their
 * results.
 */

import { Transcript } from '../../core/index.ts'
import type { RuleId } from '../../rules/index.ts'
import { rememberRepair } from './accepted-repairs.ts'
import { historyOf, repairStrictly } from './stricter-repair.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const forgetIds: Recovery = { id: 'forget-ids', maxTimes: 1, try: forget }

const IDS: readonly RuleId[] = ['item-id-not-persisted', 'item-id-other-connection']
const PREVIOUS: RuleId = 'previous-response-not-found'

function forget(attempt: Attempt): Recovered | undefined {
  const { rule } = attempt.rejection
  const previous = rule === PREVIOUS
  // A list without a reply of the model has only new messages: without `previous_response_id` all earlier messages would be lost.
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
