/**
 * Removes ids that the provider does not know: of items, and of the previous response. Calls keep their ids, which pair
 * them with their results.
 */

import type { RuleId } from '../../rules/index.ts'
import { recoveredBy } from './accepted-repairs.ts'
import { transcriptOf } from './stricter-repair.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const forgetIds: Recovery = { id: 'forget-ids', maxTimes: 1, try: forget }

const IDS: readonly RuleId[] = ['item-id-not-persisted', 'item-id-other-connection']
const PREVIOUS: RuleId = 'previous-response-not-found'

function forget(attempt: Attempt): Recovered | undefined {
  const { rule, ids } = attempt.rejection
  const previous = rule === PREVIOUS
  // A list without a reply has only new messages: without `previous_response_id` the earlier ones would be lost.
  if (previous && transcriptOf(attempt).lastAssistant() < 0) return undefined
  return recoveredBy('forget-ids', attempt, { rejectedBy: [...IDS, ...(previous ? [PREVIOUS] : [])] }, { rule, ids })
}
