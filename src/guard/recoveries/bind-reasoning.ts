/**
 * Claude with preserved thinking: asks the provider to drop the blocks that no longer match what precedes them. This
 * costs only those blocks; removing reasoning would cost all of it.
 */

import type { RuleId } from '../../rules/index.ts'
import { rememberRepair } from './accepted-repairs.ts'
import { bindingConstraint, bindingConstraints, repairStrictly, wantsError, withHeader } from './stricter-repair.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const bindReasoning: Recovery = { id: 'bind-reasoning', maxTimes: 1, try: bind }

/** The first one has the constraint. */
const BOUND: readonly string[] = ['thinking-bound-to-other-prefix', 'thinking-chain-broken'] satisfies RuleId[]

function bind(attempt: Attempt): Recovered | undefined {
  const { rule } = attempt.rejection
  // Without a constraint for the model, its rejection says that it binds thinking.
  const constraint = bindingConstraint(attempt) ?? bindingConstraints(attempt.service)[0]
  if (rule === undefined || !BOUND.includes(rule) || !constraint || wantsError(attempt)) return undefined
  // The two rejections differ in the cause; the setting is the same, and the first rule has its constraint.
  const rejectedBy = [BOUND[0]!]
  const { body, edits } = repairStrictly(attempt, { rejectedBy })
  const bound = withHeader(attempt, body, constraint)
  if (bound.body === attempt.body && !bound.headers) return undefined
  const report = { rule, edits, setting: 'drop_block', header: bound.headers !== undefined }
  return { id: 'bind-reasoning', ...bound, report, accepted: rememberRepair(attempt, { rejectedBy }) }
}
