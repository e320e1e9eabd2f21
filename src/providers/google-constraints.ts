/** Constraints of Gemini's generateContent, on AI Studio and on Vertex. */
import { gemini } from '../dialects/gemini/index.ts'
import type { Constraints } from '../rules/index.ts'
import { ownFormat } from './foreign.ts'
import { GEMINI_3, GEMINI_3_6 } from './models.ts'

/** Counted, turn by turn. The ids of responses were not seen to matter. */
const pairing = { by: 'turn', rejects: ['missing', 'orphan'] } as const

const signature = {
  keys: { functionCall: 'thoughtSignature', function_call: 'thought_signature' },
  sentinel: 'skip_thought_signature_validator',
} as const

export const geminiConstraints: Constraints = {
  'foreign-message': ownFormat(gemini),
  'tool-result-missing': { evidence: 'many-reports', pairing },
  'tool-result-not-adjacent': { evidence: 'many-reports', pairing },
  'tool-result-orphan': { evidence: 'many-reports', pairing },
  'tool-result-duplicate': { evidence: 'many-reports', pairing },
  // Counted, but three responses in three contents were seen accepted on the Gemini API.
  'tool-result-count-mismatch': [
    { evidence: 'many-reports', pairing },
    { evidence: 'single-report', split: true },
  ],
  'tool-result-not-object': { evidence: 'documented' },
  'tool-result-name-missing': { evidence: 'many-reports' },
  // A call without a name is rejected as its response is.
  'tool-call-name-invalid': { evidence: 'few-reports' },
  'tool-call-message-copied': { evidence: 'inferred' },
  // A protobuf Struct; without it there are no arguments.
  'tool-arguments-not-object': { evidence: 'documented', as: 'object', emptyOk: true },
  'tool-declaration-name-invalid': { evidence: 'many-reports', pattern: /^[a-zA-Z_][a-zA-Z0-9_.-]*$/, max: 64 },
  'tool-result-multimodal-unsupported': { evidence: 'single-report', models: /gemini-(?:1|2)/i, media: [] },
  'tool-result-mixed-with-other-parts': { evidence: 'single-report', models: GEMINI_3_6 },
  // google/adk-js#355: a turn of text before the turn of its calls works.
  'tool-call-turn-order': { evidence: 'many-reports', assumed: ['apart'] },
  'first-not-user': { evidence: 'few-reports' },
  'last-assistant-prefill': { evidence: 'many-reports' },
  'role-unknown': { evidence: 'many-reports', roles: ['user', 'model', 'function'] },
  // An empty text is a text there.
  'content-empty': { evidence: 'many-reports', text: 'accepted', thought: true },
  'content-missing': { evidence: 'many-reports' },
  'content-null': { evidence: 'many-reports' },
  'content-shape': {
    evidence: 'many-reports',
    list: true,
    objects: ['functionCall', 'function_call', 'functionResponse', 'function_response'],
  },
  'tool-call-role': { evidence: 'many-reports' },
  'messages-empty': { evidence: 'few-reports' },
  'thought-signature-invalid': {
    evidence: 'many-reports',
    models: GEMINI_3,
    letters: /^[A-Za-z0-9+/_=-]*$/,
    ...signature,
  },
  'thought-signature-missing': { evidence: 'documented', models: GEMINI_3, ...signature },
  'thought-signature-position': { evidence: 'documented', models: GEMINI_3, ...signature },
  // Parts of other dialects have a type, and some a role.
  'unknown-field': [
    { evidence: 'many-reports', fields: { '*': ['type', 'role'] } },
    // Fields of another dialect are rejected in the same words, but they have content.
    { evidence: 'many-reports', leave: true, messages: { '*': ['content', 'tool_calls', 'tool_call_id'] } },
  ],
  'lone-surrogate': { evidence: 'inferred' },
}
