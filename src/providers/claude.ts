/** Constraints of Anthropic's Messages API, and those that Claude has wherever it is served. */
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import type { Constraints } from '../rules/index.ts'
import { ownBlocks, ownFormat } from './foreign.ts'
import { CLAUDE_4_6, CLAUDE_BEFORE_4_6, CLAUDE_BINDING, CLAUDE_NOT_BEFORE_4_6 } from './models.ts'

/** Fields that only answers have; a client that stores the answer unchanged sends them back. Each was rejected. */
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

/**
 * Fields of other dialects, each with reports: RooCodeInc/Roo-Code#11429, Kilo-Org/kilocode#5884,
 * theopenco/llmgateway#2068, microsoft/autogen#3034.
 */
const foreignFields = ['reasoning_details', 'reasoning_content', 'reasoning', 'name']

/** What SDKs add to the blocks they hand out. Each was reported as rejected. */
const added = ['index', 'parsed', 'parsed_output']

const NAME = /^[a-zA-Z0-9_-]+$/

/** How a request asks to drop thinking that is bound to another prefix. */
export const dropping = {
  setting: ['thinking'],
  path: ['block_binding', 'prefix_mismatch_behavior'],
  drop: 'drop_block',
  fail: 'error',
} as const

/** Reasoning: sent back as it came, or all of it removed. */
export const thinkingConstraints = {
  'thinking-signature-missing': { evidence: 'many-reports' },
  'thinking-signature-invalid': { evidence: 'documented' },
  'thinking-text-missing': { evidence: 'documented' },
  'thinking-block-missing-before-tool-use': { evidence: 'documented', setting: ['thinking'] },
  'thinking-bound-to-other-prefix': {
    evidence: 'documented',
    models: CLAUDE_BINDING,
    dropping,
    header: 'thinking-binding-controls-2026-08-01',
  },
} as const satisfies Constraints

/** The schema. */
export const messagesShape: Constraints = {
  'foreign-message': ownFormat(anthropicMessages),
  'content-missing': { evidence: 'documented', instead: ['output_config'] },
  'content-null': { evidence: 'documented' },
  'content-shape': { evidence: 'documented', typed: true },
  'tool-call-role': { evidence: 'documented' },
  'messages-empty': { evidence: 'documented' },
}

export const messagesConstraints: Constraints = {
  'control-character': { evidence: 'inferred' },
  ...thinkingConstraints,
  ...messagesShape,
  'thinking-chain-broken': { evidence: 'single-report', dropping },
  'tool-result-missing': { evidence: 'documented' },
  // In neighboring user messages: measured as accepted, one report of a rejection.
  'tool-result-not-adjacent': [{ evidence: 'documented' }, { evidence: 'single-report', split: true }],
  'tool-result-orphan': { evidence: 'documented' },
  'tool-result-duplicate': { evidence: 'many-reports' },
  'server-tool-result-orphan': { evidence: 'many-reports' },
  'tool-call-id-duplicate': { evidence: 'many-reports', scope: 'request' },
  'tool-call-id-empty': [{ evidence: 'many-reports' }, { evidence: 'many-reports', half: true }],
  'tool-call-id-format': { evidence: 'many-reports', pattern: NAME },
  'tool-arguments-not-object': { evidence: 'many-reports', as: 'object' },
  'tool-call-name-invalid': { evidence: 'few-reports', pattern: NAME, max: 200 },
  'tool-call-message-copied': { evidence: 'many-reports' },
  'thinking-last': { evidence: 'many-reports' },
  // A probe found it rejected, a later report found it accepted on five models.
  'text-after-tool-call': { evidence: 'single-report' },
  'tool-result-shape': {
    evidence: 'few-reports',
    typed: true,
    extra: { text: ['annotations', '_meta'] },
    ...ownBlocks(['text', 'image', 'document', 'search_result', 'tool_reference', 'browser_state']),
  },
  // An empty assistant turn was measured as accepted.
  'content-empty': { evidence: 'documented', roles: ['user'] },
  // One space was seen accepted, by an older model.
  'text-blank': [
    { evidence: 'many-reports', space: 'accepted' },
    { evidence: 'many-reports', space: 'rejected', models: CLAUDE_NOT_BEFORE_4_6 },
  ],
  // Newer models reject any text at the end, whatever it ends in.
  'trailing-whitespace': { evidence: 'documented', except: CLAUDE_4_6 },
  'first-not-user': { evidence: 'few-reports' },
  // A paused turn (`pause_turn`) is sent back as it came, also on newer models: platform.claude.com, "Server tools".
  'last-assistant-prefill': {
    evidence: 'documented',
    models: CLAUDE_4_6,
    paused: /^(?:server|mcp)_tool_use$|._tool_result$/,
  },
  // A system message among the others is legal on newer models.
  'role-unknown': [
    { evidence: 'documented', roles: ['user', 'assistant', 'system'], required: true, except: CLAUDE_BEFORE_4_6 },
    { evidence: 'documented', roles: ['user', 'assistant'], required: true, models: CLAUDE_BEFORE_4_6 },
  ],
  'system-message-position': { evidence: 'documented', models: CLAUDE_4_6, opening: true },
  'cache-control-too-many': { evidence: 'documented', max: 4 },
  'cache-control-on-empty-text': { evidence: 'many-reports', blank: true },
  'cache-control-on-thinking': { evidence: 'many-reports' },
  'cache-control-ttl-order': { evidence: 'many-reports' },
  'unknown-field': [
    {
      evidence: 'few-reports',
      messages: { '*': [...answerFields, ...foreignFields] },
      fields: {
        text: [...added, 'id', 'annotations'],
        tool_use: added,
        thinking: added,
        redacted_thinking: added,
      },
    },
    // Calls and ids of another dialect: reported as rejected, but they have content.
    { evidence: 'few-reports', leave: true, messages: { '*': ['tool_calls', 'tool_call_id'] } },
    // mozilla-ai/any-llm#832 alone.
    { evidence: 'single-report', messages: { '*': ['refusal', 'annotations', 'audio'] } },
  ],
  'image-too-large-bytes': { evidence: 'many-reports', max: 5_242_880 },
  'image-too-large-dimension': { evidence: 'many-reports', max: 8000, maxMany: 2000, manyFrom: 21 },
  'image-too-many': { evidence: 'single-report', max: 100 },
  'image-unreadable': { evidence: 'many-reports' },
  'lone-surrogate': { evidence: 'many-reports' },
}
