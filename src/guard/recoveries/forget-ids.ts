/**
 * Ids that the provider does not know go: of items, and of the response to go on from. Calls keep theirs, they pair with their results.
 */
import { flagsOf, type Part, roleOf } from '../../core/index.ts'
import { historyOf, mend } from './mend.ts'
import { remembering } from './notes.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const forgetIds: Recovery = { id: 'forget-ids', most: 1, try: forget }

const IDS = ['item-id-not-persisted', 'item-id-other-connection'] as const
const PREVIOUS = 'previous-response-not-found'

function forget(attempt: Attempt): Recovered | undefined {
  const { rule } = attempt.refusal
  const previous = rule === PREVIOUS
  // A list with nothing of the model's in it is only what is new: without the response it goes on from, all that was said before would be lost.
  if (previous && !isWhole(attempt)) return undefined
  const refused = [...IDS, ...(previous ? [PREVIOUS] : [])]
  const { body, rules, edits } = mend(attempt, { refused })
  if (body === attempt.body) return undefined
  const report = { rule, ids: attempt.refusal.ids, rules, edits }
  return { id: 'forget-ids', body, report, accepted: remembering(attempt, { refused }) }
}

function isWhole(attempt: Attempt): boolean {
  const parts: Part[] = []
  return historyOf(attempt).some((message, i) => {
    parts.length = 0
    const role = attempt.service.dialect.read(message, i, parts)
    return roleOf(flagsOf(role, parts)) === 'assistant'
  })
}
