/**
 * Reasoning that a provider does not accept goes, whole chains of it: one block out of the middle would break those behind it.
 */
import { mend, wantsError } from './mend.ts'
import { remembering } from './notes.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const stripReasoning: Recovery = { id: 'strip-reasoning', most: 1, try: strip }

/** The rule by whose refusal all reasoning of a dialect goes; Gemini's calls get a stand-in for their signature. */
const ALL: Readonly<Record<string, string>> = {
  'anthropic-messages': 'thinking-signature-invalid',
  'bedrock-converse': 'thinking-signature-invalid',
  'openai-responses': 'reasoning-encrypted-content-invalid',
  gemini: 'thought-signature-invalid',
  'openai-chat': 'reasoning-content-forbidden',
}

function strip(attempt: Attempt): Recovered | undefined {
  const { rule = '' } = attempt.refusal
  const all = ALL[attempt.service.dialect.id]
  // What asks for reasoning is not helped by taking more of it out.
  if (!all || /missing/.test(rule.replace('signature-missing', '')) || wantsError(attempt)) return undefined
  const refused = [...new Set([rule, all])]
  const { body, rules, edits } = mend(attempt, { refused })
  if (body === attempt.body) return undefined
  return { id: 'strip-reasoning', body, report: { rule, rules, edits }, accepted: remembering(attempt, { refused }) }
}
