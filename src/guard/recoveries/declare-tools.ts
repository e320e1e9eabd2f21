/**
 * A request that declares no tools over a history that uses some: stubs are declared that say they are not available now.
 */
import { mend } from './mend.ts'
import { remembering } from './notes.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const declareTools: Recovery = { id: 'declare-tools', most: 1, try: declare }

const RULE = 'tools-undeclared-with-history'

function declare(attempt: Attempt): Recovered | undefined {
  const stricter = { refused: [RULE] }
  const { body, rules, edits } = mend(attempt, stricter)
  if (body === attempt.body) return undefined
  const report = { rule: RULE, rules, edits }
  return { id: 'declare-tools', body, report, accepted: remembering(attempt, stricter) }
}
