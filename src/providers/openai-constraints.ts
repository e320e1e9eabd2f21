/** Constraints of OpenAI's two APIs. Most others speak the first of them and differ in a few points. */
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import type { Constraints } from '../rules/index.ts'
import { ownBlocks, ownFormat } from './foreign.ts'
import { GPT_4, GPT_BEFORE_5_2 } from './models.ts'

/** Models known to take no dot in the name of a tool. */
const NO_DOTS = /(?:^|\/)gpt-[34]/i
const NAME = /^[a-zA-Z0-9_-]+$/
/** Parts of a message that OpenAI names in its rejection of others. */
const PART_TYPES = ['text', 'image_url', 'input_audio', 'refusal', 'audio', 'file']
const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function']

/** The legacy functions API is OpenAI's own. */
export const LATER_ROLES = ROLES.filter((role) => role !== 'function')

/** A result for each call in the tool messages after it, and none of another id. */
const pairing = { by: 'slot', rejects: ['missing', 'orphan'] } as const
/** ... and none twice in one run of results. */
const single = { by: 'slot', rejects: ['duplicate'] } as const

export const chatConstraints: Constraints = {
  'control-character': { evidence: 'inferred' },
  'content-shape': { evidence: 'documented', typed: true, only: PART_TYPES },
  'tool-call-role': { evidence: 'documented' },
  'foreign-message': ownFormat(openaiChat),
  'messages-empty': { evidence: 'many-reports' },
  'role-unknown': { evidence: 'documented', roles: ROLES, required: true },
  'tool-result-missing': { evidence: 'documented', pairing },
  'tool-result-not-adjacent': { evidence: 'many-reports', pairing },
  'tool-result-orphan': { evidence: 'documented', pairing },
  'tool-result-duplicate': { evidence: 'many-reports', pairing: single },
  'tool-call-message-copied': { evidence: 'inferred' },
  'tool-result-multimodal-unsupported': {
    evidence: 'many-reports',
    models: GPT_BEFORE_5_2,
    media: ['audio', 'video', 'document'],
  },
  // In a later turn: services accepted it, there are reports of rejections too.
  'tool-call-id-duplicate': [
    { evidence: 'many-reports', scope: 'message' },
    { evidence: 'single-report', scope: 'request' },
  ],
  'tool-call-id-empty': [{ evidence: 'inferred' }, { evidence: 'documented', half: true, pairing }],
  'tool-call-id-too-long': [
    { evidence: 'many-reports', max: 64, except: GPT_4 },
    { evidence: 'many-reports', max: 40, models: GPT_4 },
  ],
  'tool-call-name-invalid': { evidence: 'many-reports', pattern: NAME },
  'message-name-invalid': { evidence: 'few-reports', pattern: /^[^\s<|\\/>]+$/ },
  'tool-arguments-not-json': { evidence: 'inferred', bracesOnly: true, textsOnly: true },
  'tool-arguments-not-object': { evidence: 'few-reports', as: 'string', bracesOnly: true, text: true },
  'tool-calls-empty-array': { evidence: 'documented' },
  'content-null': { evidence: 'many-reports' },
  'content-missing': { evidence: 'documented', calls: false },
  'tools-too-many': { evidence: 'many-reports', max: 128 },
  // Some models take dots.
  'tool-declaration-name-invalid': [
    { evidence: 'many-reports', pattern: /^[a-zA-Z0-9_.-]+$/, except: NO_DOTS },
    { evidence: 'many-reports', pattern: NAME, models: NO_DOTS },
  ],
  'image-too-many': { evidence: 'single-report', max: 500 },
  'lone-surrogate': { evidence: 'inferred' },
}

/** What speaks the chat dialect without a report of its own: what OpenAI rejects is only assumed there. */
export const likeChat: Constraints = {
  'control-character': { evidence: 'inferred' },
  'foreign-message': ownFormat(openaiChat),
  'content-shape': {
    evidence: 'documented',
    typed: true,
    assumed: ['content', 'block', 'type', 'untyped', 'text'],
  },
  'tool-call-role': { evidence: 'documented', assumed: ['caller'] },
  'messages-empty': { evidence: 'many-reports' },
  'role-unknown': { evidence: 'documented', roles: LATER_ROLES, required: true, assumed: ['role'] },
  'tool-result-missing': { evidence: 'inferred' },
  'tool-result-not-adjacent': { evidence: 'inferred' },
  'tool-result-orphan': { evidence: 'inferred' },
  'tool-result-duplicate': { evidence: 'inferred' },
  'tool-call-message-copied': { evidence: 'inferred' },
  'tool-call-id-duplicate': { evidence: 'inferred', scope: 'message' },
  'tool-call-id-empty': [{ evidence: 'inferred' }, { evidence: 'inferred', half: true }],
  'tool-call-name-invalid': { evidence: 'inferred', pattern: NAME },
  'tool-arguments-not-json': { evidence: 'inferred', bracesOnly: true },
  'tool-arguments-not-object': { evidence: 'inferred', as: 'string', bracesOnly: true },
  'tool-calls-empty-array': { evidence: 'inferred' },
  'content-null': { evidence: 'inferred' },
  'content-missing': { evidence: 'inferred', calls: false },
  'lone-surrogate': { evidence: 'inferred' },
}

/** What a shell printed comes in pieces that have no type. */
const CHUNKS = ['shell_call_output']
const ITEM_ROLES = ['system', 'developer', 'user', 'assistant']

/** What speaks in items without a report of its own. */
export const likeResponses: Constraints = {
  'lone-surrogate': { evidence: 'inferred' },
  'foreign-message': ownFormat(openaiResponses),
  'content-null': { evidence: 'inferred' },
  'content-missing': { evidence: 'inferred' },
  'content-shape': {
    evidence: 'documented',
    typed: true,
    item: true,
    chunks: CHUNKS,
    assumed: ['content', 'block', 'type', 'untyped', 'text'],
  },
  'tool-call-role': { evidence: 'documented', assumed: ['caller'] },
  'role-unknown': { evidence: 'documented', roles: ITEM_ROLES, required: true, assumed: ['role'] },
}

/** Types of calls with known rejections. Calls of a computer, a shell or a patch have none. */
export const KNOWN_CALLS = ['function_call', 'custom_tool_call', 'local_shell_call']
export const KNOWN_RESULTS = KNOWN_CALLS.map((type) => `${type}_output`)

/** An output of a function may have `name` and `namespace` instead of `call_id` (types of openai-node 7.55). */
const NAMED = ['function_call_output']

/** By type and id, wherever they are. */
export const listPairing = { by: 'list', rejects: ['missing', 'orphan'] } as const

export const responsesConstraints: Constraints = {
  'control-character': { evidence: 'inferred' },
  'tool-arguments-not-object': { evidence: 'single-report', as: 'string', bracesOnly: true, text: true },
  'lone-surrogate': { evidence: 'inferred' },
  'foreign-message': ownFormat(openaiResponses),
  'content-null': { evidence: 'few-reports' },
  'content-missing': { evidence: 'documented' },
  'content-shape': { evidence: 'documented', typed: true, item: true, chunks: CHUNKS },
  'tool-call-role': { evidence: 'documented' },
  'role-unknown': { evidence: 'documented', roles: ITEM_ROLES, required: true },
  'tool-result-missing': { evidence: 'documented', pairing: listPairing, types: KNOWN_CALLS },
  'tool-result-orphan': { evidence: 'documented', pairing: listPairing, types: KNOWN_RESULTS, named: NAMED },
  'tool-result-duplicate': { evidence: 'inferred' },
  'tool-call-message-copied': { evidence: 'inferred' },
  'tool-result-shape': {
    evidence: 'few-reports',
    typed: true,
    required: true,
    types: KNOWN_RESULTS,
    ...ownBlocks(['input_text', 'input_image', 'input_file']),
  },
  'tool-result-item-id': { evidence: 'single-report', pattern: /^fc_/ },
  'tool-call-id-empty': [
    { evidence: 'many-reports', types: [...KNOWN_CALLS, ...KNOWN_RESULTS], named: NAMED },
    { evidence: 'many-reports', half: true, types: [...KNOWN_CALLS, ...KNOWN_RESULTS], named: NAMED },
  ],
  'tool-call-id-too-long': { evidence: 'many-reports', max: 64, types: KNOWN_CALLS },
  'tool-call-name-invalid': { evidence: 'few-reports', pattern: NAME, assumed: ['name'] },
  'tool-arguments-not-json': { evidence: 'inferred', bracesOnly: true, textsOnly: true },
  'content-part-direction': {
    evidence: 'few-reports',
    never: ['text'],
    swaps: {
      user: { output_text: 'input_text', text: 'input_text' },
      system: { output_text: 'input_text', text: 'input_text' },
      assistant: { input_text: 'output_text', text: 'output_text' },
    },
  },
  'reasoning-item-orphan': { evidence: 'documented' },
  // Signatures of Anthropic and Gemini are protocol buffers whose first field is 1 or 2, in base64.
  'reasoning-encrypted-content-invalid': { evidence: 'documented', begins: 'gAAA', foreign: /^[CE][g-v]/ },
  'reasoning-item-content-forbidden': { evidence: 'many-reports' },
  // AAswordman/Operit#797, lidge-jun/opencodex#4673, diegosouzapw/OmniRoute#11108
  'reasoning-summary-missing': { evidence: 'few-reports' },
  'item-id-not-persisted': { evidence: 'documented', setting: 'store' },
  'item-id-prefix': { evidence: 'many-reports', prefixes: { function_call: 'fc', reasoning: 'rs', message: 'msg_' } },
  'item-id-duplicate': { evidence: 'many-reports' },
  // Fields that only answers have, and what SDKs parse of them.
  'unknown-field': {
    evidence: 'few-reports',
    fields: {
      reasoning: ['status'],
      function_call: ['parsed_arguments', 'created_by'],
      function_call_output: ['created_by'],
    },
  },
}
