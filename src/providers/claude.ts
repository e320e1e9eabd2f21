/**
 * Laws of Anthropic's Messages API, and those that Claude brings along wherever it is served.
 */
import type { Laws } from '../core/index.ts'
import { D, F, I, M, S } from './evidence.ts'
import { CLAUDE_4_6, CLAUDE_BEFORE_4_6, CLAUDE_BINDING, CLAUDE_NOT_BEFORE_4_6 } from './models.ts'

/** Fields that only answers have; a client that stores the answer as it came sends them back. */
const answerFields = [
  'id',
  'type',
  'model',
  'stop_reason',
  'stop_sequence',
  'stop_details',
  'usage',
  'container',
  'context_management',
  'diagnostics',
  'input_transformations',
]

/** Fields of other dialects, each with reports: RooCodeInc/Roo-Code#11429, Kilo-Org/kilocode#5884, theopenco/llmgateway#2068, microsoft/autogen#3034. */
const foreignFields = ['reasoning_details', 'reasoning_content', 'reasoning', 'name']

/** What SDKs add to the blocks they hand out: where they stood in a stream, what was parsed of them. Each was reported as refused. */
const added = ['index', 'parsed', 'parsed_output']
const addedFields = {
  text: [...added, 'id', 'annotations'],
  tool_use: added,
  thinking: added,
  redacted_thinking: added,
}

/** Reasoning: sent back as it came, or all of it taken out. */
export const thinkingLaws: Laws = {
  'thinking-signature-missing': M(),
  'thinking-signature-invalid': D(),
  'thinking-text-missing': D(),
  'thinking-block-missing-before-tool-use': D({ setting: ['thinking'] }),
  'thinking-bound-to-other-prefix': D({
    models: CLAUDE_BINDING,
    setting: ['thinking'],
    header: 'thinking-binding-controls-2026-08-01',
  }),
}

/** What the schema says, whoever serves it. */
export const messagesShape: Laws = {
  'content-missing': D(),
  'content-null': D(),
  'content-shape': D({ typed: true }),
  'messages-empty': D(),
}

export const messagesLaws: Laws = {
  ...thinkingLaws,
  ...messagesShape,
  'tool-result-missing': D(),
  // Over neighbouring user messages: measured as accepted, one report of refusal.
  'tool-result-not-adjacent': [D(), S({ split: true })],
  'tool-result-orphan': D(),
  'tool-result-duplicate': M(),
  'server-tool-result-orphan': M(),
  'tool-call-id-duplicate': M({ scope: 'request' }),
  'tool-call-id-empty': [M(), M({ half: true })],
  'tool-call-id-format': M({ pattern: /^[a-zA-Z0-9_-]+$/ }),
  'tool-arguments-not-object': M({ as: 'object' }),
  'tool-call-name-invalid': [
    I({ of: ['name', 'empty'], pattern: /^[a-zA-Z0-9_-]+$/, max: 128 }),
    D({ of: ['none'], pattern: /^[a-zA-Z0-9_-]+$/, max: 128 }),
  ],
  // An empty assistant turn was measured as accepted.
  'content-empty': D({ roles: ['user'] }),
  // One space was seen accepted, by an older model.
  'text-blank': [M({ space: 'accepted' }), M({ space: 'refused', models: CLAUDE_NOT_BEFORE_4_6 })],
  'trailing-whitespace': D(),
  'first-not-user': F(),
  // A turn that was paused (`pause_turn`) is sent back as it came, also on newer models: platform.claude.com, "Server tools".
  'last-assistant-prefill': D({ models: CLAUDE_4_6, paused: /^(?:server|mcp)_tool_use$|._tool_result$/ }),
  // A system message among the others is legal on newer models.
  'role-unknown': [
    D({ roles: ['user', 'assistant', 'system'], required: true, lift: 'anthropic', except: CLAUDE_BEFORE_4_6 }),
    D({ roles: ['user', 'assistant'], required: true, lift: 'anthropic', models: CLAUDE_BEFORE_4_6 }),
  ],
  'system-message-position': D({ models: CLAUDE_4_6 }),
  'cache-control-too-many': D({ max: 4 }),
  'cache-control-on-empty-text': M(),
  'cache-control-on-thinking': M(),
  'cache-control-ttl-order': M(),
  'unknown-field': [
    F({ messages: { '*': [...answerFields, ...foreignFields] }, fields: addedFields }),
    // Calls and ids of another dialect: reported as rejected, but they hold what was done.
    F({ leave: true, messages: { '*': ['tool_calls', 'tool_call_id'] } }),
    // mozilla-ai/any-llm#832 alone.
    S({ messages: { '*': ['refusal', 'annotations', 'audio'] } }),
  ],
  'image-too-large-bytes': M({ max: 5_242_880 }),
  'image-too-large-dimension': M({ max: 8000, maxMany: 2000, manyFrom: 21 }),
  'image-too-many': S({ max: 100 }),
  'lone-surrogate': M({ glance: 'ends' }),
}
