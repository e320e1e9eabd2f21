/**
 * A request that declares no tools over a history that uses some: stubs are declared that say they are not available now.
 */
import { mend } from './mend.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const declareTools: Recovery = { id: 'declare-tools', most: 1, try: declare }

const RULE = 'tools-undeclared-with-history'

/** How a declaration looks, for providers whose own law does not say. */
const SHAPES: Readonly<Record<string, string>> = {
  'anthropic-messages': 'anthropic',
  'bedrock-converse': 'bedrock',
  'openai-chat': 'openai',
  'openai-responses': 'responses',
  gemini: 'gemini',
}

function declare(attempt: Attempt): Recovered | undefined {
  const { dialect, laws } = attempt.service
  const law = laws[RULE] ?? { evidence: 'S' as const, declare: SHAPES[dialect.id] }
  const { body, rules, edits } = mend(attempt, {
    refused: [RULE],
    service: { dialect, laws: { ...laws, [RULE]: law } },
  })
  if (body === attempt.body) return undefined
  return { id: 'declare-tools', body, report: { rule: RULE, rules, edits } }
}
