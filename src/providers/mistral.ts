import type { Constraints } from '../rules/index.ts'
import { chat } from './chat.ts'

const ROLES = ['system', 'user', 'assistant', 'tool']
const pairing = { by: 'number', rejects: ['missing', 'orphan', 'duplicate'] } as const

/** What holds wherever a model with Mistral's template is served. */
export const templateConstraints = {
  'role-unknown': { evidence: 'documented', roles: ROLES, required: true },
  'tool-result-missing': { evidence: 'many-reports', pairing },
  'tool-result-not-adjacent': { evidence: 'many-reports', pairing },
  'tool-result-orphan': { evidence: 'many-reports', pairing },
  'tool-result-duplicate': { evidence: 'many-reports', pairing },
  'tool-result-count-mismatch': { evidence: 'documented', pairing },
  // If an id is missing, only the number of results was ever complained of.
  'tool-call-id-empty': [{ evidence: 'inferred' }, { evidence: 'inferred', half: true }],
  'tool-call-id-format': { evidence: 'documented', pattern: /^[a-zA-Z0-9]{9}$/ },
} as const satisfies Constraints

/** Fields of OpenAI's that clients leave in prompts and answers. */
const PROMPT = ['name', 'tool_calls', 'tool_call_id']
const ANSWER = ['name', 'function_call', 'refusal', 'audio', 'annotations']

/** Mistral. */
export const mistral = chat('mistral', [/(^|\.)mistral\.ai$/], {
  ...templateConstraints,
  'content-shape': { evidence: 'documented', typed: true },
  'tool-call-role': { evidence: 'documented' },
  // Seen accepted; arguments as an object are documented.
  'tool-calls-empty-array': null,
  // The schema requires a name; no pattern was seen.
  'tool-call-name-invalid': { evidence: 'documented', pattern: /^[a-zA-Z0-9_-]+$/, assumed: ['name'] },
  'tool-arguments-not-object': null,
  // Rejected in older reports, recorded as accepted since.
  'role-order': { evidence: 'single-report', bridge: true },
  'last-assistant-prefill': { evidence: 'documented', unless: 'prefix' },
  'reasoning-content-forbidden': { evidence: 'documented', keys: ['reasoning_content'] },
  'unknown-field': [
    {
      evidence: 'documented',
      fields: { function: ['name'] },
      messages: { system: PROMPT, user: PROMPT, assistant: ANSWER },
    },
    // Names that SDKs have for fields of the wire: they hold calls, or name one.
    {
      evidence: 'documented',
      leave: true,
      fields: { function: ['arguments', 'tool_call_id', 'toolCallId', 'callId'] },
      messages: { '*': ['toolCalls', 'toolCallId', 'callId', 'call_id'] },
    },
  ],
  'image-too-many': { evidence: 'single-report', max: 8 },
})
