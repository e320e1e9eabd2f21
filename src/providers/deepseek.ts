import type { Provider } from '../core/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import type { Constraints } from '../rules/index.ts'
import { messagesShape } from './claude.ts'
import { DEEPSEEK_R1, DEEPSEEK_THINKING } from './models.ts'
import { KNOWN_CALLS, LATER_ROLES, likeChat, likeResponses, listPairing } from './openai-constraints.ts'

const slot = { by: 'slot', rejects: ['missing', 'orphan', 'duplicate'] } as const
const blocks = { by: 'blocks', rejects: ['missing', 'orphan', 'duplicate'] } as const

const chatConstraints: Constraints = {
  ...likeChat,
  // Fields of a wrong kind are known from its JSON reader, which rejects the body as a whole.
  'content-shape': { evidence: 'many-reports', typed: true, assumed: ['type'] },
  'tool-call-role': { evidence: 'many-reports', assumed: ['caller'] },
  'role-unknown': { evidence: 'many-reports', roles: LATER_ROLES, required: true },
  'tool-call-name-invalid': { evidence: 'many-reports', assumed: ['name'] },
  'tool-arguments-not-object': { evidence: 'few-reports', as: 'string', bracesOnly: true, text: true },
  'content-missing': { evidence: 'many-reports', calls: false },
  'tool-result-missing': { evidence: 'many-reports', pairing: slot },
  'tool-call-id-empty': [{ evidence: 'inferred' }, { evidence: 'many-reports', half: true, pairing: slot }],
  'tool-result-not-adjacent': { evidence: 'many-reports', pairing: slot },
  'tool-result-orphan': { evidence: 'many-reports', pairing: slot },
  'tool-result-duplicate': { evidence: 'many-reports', pairing: slot },
  'tool-call-id-duplicate': [
    { evidence: 'many-reports', scope: 'message' },
    { evidence: 'single-report', scope: 'request' },
  ],
  // Documented for turns with calls, reported for all of them.
  'reasoning-content-missing': [
    { evidence: 'documented', on: 'calls', from: ['reasoning'], models: DEEPSEEK_THINKING },
    { evidence: 'documented', on: 'calls', from: ['reasoning'], optIn: true, except: DEEPSEEK_THINKING },
    { evidence: 'single-report', on: 'all', from: ['reasoning'], models: DEEPSEEK_THINKING },
  ],
  'role-order': { evidence: 'many-reports', merge: ['user', 'assistant'], models: DEEPSEEK_R1 },
}

const responsesConstraints: Constraints = {
  ...likeResponses,
  // Each call is answered right after it, also the second one of a repeated id.
  'tool-result-missing': { evidence: 'documented' },
  'tool-result-orphan': { evidence: 'documented', pairing: listPairing },
  'tool-call-id-empty': [{ evidence: 'inferred' }, { evidence: 'documented', half: true, pairing: listPairing }],
  'reasoning-content-missing': [
    { evidence: 'documented', blocks: true, loop: true, types: KNOWN_CALLS, models: DEEPSEEK_THINKING },
    { evidence: 'documented', blocks: true, loop: true, types: KNOWN_CALLS, optIn: true, except: DEEPSEEK_THINKING },
  ],
  // Messages between call and output: accepted by OpenAI, rejected here.
  'tool-result-not-adjacent': { evidence: 'few-reports', interleaved: true },
  'tool-call-message-copied': { evidence: 'inferred' },
}

const messagesConstraints: Constraints = {
  ...messagesShape,
  'role-unknown': {
    evidence: 'documented',
    roles: ['user', 'assistant', 'system'],
    required: true,
    assumed: ['role'],
  },
  'reasoning-content-missing': [
    { evidence: 'documented', blocks: true, models: DEEPSEEK_THINKING },
    { evidence: 'documented', blocks: true, optIn: true, except: DEEPSEEK_THINKING },
  ],
  'content-shape': { evidence: 'documented', typed: true, assumed: ['type', 'text'] },
  'tool-call-role': { evidence: 'documented' },
  'tool-result-missing': { evidence: 'many-reports', pairing: blocks },
  'tool-result-not-adjacent': { evidence: 'many-reports', pairing: blocks },
  'tool-result-orphan': { evidence: 'many-reports', pairing: blocks },
  'tool-result-duplicate': { evidence: 'many-reports', pairing: blocks },
  'tool-call-id-empty': [{ evidence: 'inferred' }, { evidence: 'many-reports', half: true, pairing: blocks }],
  'tool-call-id-duplicate': { evidence: 'many-reports', scope: 'request' },
  'tool-call-message-copied': { evidence: 'many-reports' },
  'lone-surrogate': { evidence: 'inferred' },
}

/** DeepSeek. */
export const deepseek: Provider<'deepseek'> = {
  id: 'deepseek',
  hosts: [/(^|\.)deepseek\.com$/],
  serves: [
    { dialect: openaiChat, constraints: chatConstraints },
    { dialect: openaiResponses, constraints: responsesConstraints },
    { dialect: anthropicMessages, constraints: messagesConstraints },
  ],
}
