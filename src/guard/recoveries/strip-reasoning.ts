/**
 * Removes reasoning that a provider does not accept, in whole chains: removing one block from the middle would break
 * those after it.
 */

import type { RuleId } from '../../rules/index.ts'
import { recoveredBy } from './accepted-repairs.ts'
import { wantsError } from './stricter-repair.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const stripReasoning: Recovery = { id: 'strip-reasoning', maxTimes: 1, try: strip }

/** The rule whose fix removes all reasoning of a dialect; Gemini's calls get a placeholder signature. */
const ALL: Readonly<Record<string, RuleId>> = {
  'anthropic-messages': 'thinking-signature-invalid',
  'bedrock-converse': 'thinking-signature-invalid',
  'openai-responses': 'reasoning-encrypted-content-invalid',
  gemini: 'thought-signature-invalid',
  'openai-chat': 'reasoning-content-forbidden',
}

function strip(attempt: Attempt): Recovered | undefined {
  const { rule = '' } = attempt.rejection
  const all = ALL[attempt.service.dialect.id]
  // If the provider asks for reasoning, removing more does not help.
  if (!all || /missing/.test(rule.replace('signature-missing', '')) || wantsError(attempt)) return undefined
  return recoveredBy('strip-reasoning', attempt, { rejectedBy: [...new Set([rule, all])] }, { rule })
}
