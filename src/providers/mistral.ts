import type { Laws } from '../core/index.ts'
import { chat } from './chat.ts'
import { D, I, M, S } from './evidence.ts'

const ROLES = ['system', 'user', 'assistant', 'tool']

/** What holds wherever a model with Mistral's template is served. */
export const templateLaws: Laws = {
  'role-unknown': [
    D({ of: ['role', 'none'], roles: ROLES, required: true }),
    // A template leaves out what calls, whoever does.
    I({ of: ['calls', 'legacy', 'mute'], roles: ROLES, required: true }),
  ],
  'tool-result-missing': M({ seen: 'number' }),
  'tool-result-not-adjacent': M(),
  'tool-result-orphan': M(),
  'tool-result-duplicate': M(),
  'tool-result-count-mismatch': D(),
  // Where an id is missing only the number of results was ever complained of.
  'tool-call-id-empty': [I(), I({ half: true })],
  'tool-call-id-format': D({ pattern: /^[a-zA-Z0-9]{9}$/ }),
}

/** Fields of OpenAI's that clients leave in prompts and answers. */
const PROMPT = ['name', 'tool_calls', 'tool_call_id']
const ANSWER = ['name', 'function_call', 'refusal', 'audio', 'annotations']

/** What Mistral's own service refuses beyond its template. */
export const mistralLaws: Laws = {
  ...templateLaws,
  // A call of the first API is a field that its schema does not have.
  'role-unknown': D({ roles: ROLES, required: true }),
  'content-shape': D({ typed: true, always: true }),
  // Seen accepted.
  'tool-calls-empty-array': null,
  // Refused in older reports, recorded as accepted since.
  'role-order': S({ bridge: true }),
  'last-assistant-prefill': D({ unless: 'prefix' }),
  'reasoning-content-forbidden': D({ keys: ['reasoning_content'] }),
  'unknown-field': [
    D({ fields: { function: ['name'] }, messages: { system: PROMPT, user: PROMPT, assistant: ANSWER } }),
    // Names that SDKs have for fields of the wire: they hold calls, or name one.
    D({
      leave: true,
      fields: { function: ['arguments', 'tool_call_id', 'toolCallId', 'callId'] },
      messages: { '*': ['toolCalls', 'toolCallId', 'callId', 'call_id'] },
    }),
  ],
  'image-too-many': S({ max: 8 }),
}

export const mistral = chat('mistral', [/(^|\.)mistral\.ai$/], mistralLaws)
