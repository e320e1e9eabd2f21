/**
 * A request that declares no tools over a history that uses some: stubs are declared that say they are not available now.
 */
import { mend } from './mend.ts'
import { remembering } from './notes.ts'
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
  const stricter = { refused: [RULE], service: { dialect, laws: { ...laws, [RULE]: law } } }
  const { body, rules, edits } = mend(attempt, stricter)
  if (body === attempt.body) return undefined
  const report = { rule: RULE, rules, edits }
  return { id: 'declare-tools', body, report, accepted: remembering(attempt, stricter) }
}
