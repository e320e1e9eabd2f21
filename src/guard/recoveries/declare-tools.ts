/**
 * A history uses tools, and the request declares none: declares stubs that are described as not available.
 */

import type { RuleId } from '../../rules/index.ts'
import { rememberRepair } from './accepted-repairs.ts'
import { repairStrictly } from './stricter-repair.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const declareTools: Recovery = { id: 'declare-tools', maxTimes: 1, try: declare }

const RULE: RuleId = 'tools-undeclared-with-history'

function declare(attempt: Attempt): Recovered | undefined {
  const stricter = { rejectedBy: [RULE] }
  const { body, rules, edits } = repairStrictly(attempt, stricter)
  if (body === attempt.body) return undefined
  const report = { rule: RULE, rules, edits }
  return { id: 'declare-tools', body, report, accepted: rememberRepair(attempt, stricter) }
}
