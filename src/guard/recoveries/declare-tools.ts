/** A history uses tools, and the request declares none: declares stubs that are described as not available. */

import type { RuleId } from '../../rules/index.ts'
import { recoveredBy } from './accepted-repairs.ts'
import type { Recovery } from './types.ts'

const RULE: RuleId = 'tools-undeclared-with-history'

export const declareTools: Recovery = {
  id: 'declare-tools',
  maxTimes: 1,
  try: (attempt) => recoveredBy('declare-tools', attempt, { rejectedBy: [RULE] }, { rule: RULE }),
}
