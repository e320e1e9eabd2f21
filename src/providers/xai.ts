import type { Provider } from '../core/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import type { Constraints } from '../rules/index.ts'
import { likeChat, likeResponses } from './openai-constraints.ts'

const xaiChat: Constraints = {
  ...likeChat,
  'content-empty': {
    evidence: 'many-reports',
    roles: ['system', 'user', 'assistant', 'tool'],
    list: true,
    absent: true,
  },
}

const xaiResponses: Constraints = {
  ...likeResponses,
  'tool-result-missing': { evidence: 'inferred' },
  'tool-result-orphan': { evidence: 'inferred' },
}

/** xAI: Grok. */
export const xai: Provider<'xai'> = {
  id: 'xai',
  hosts: [/(^|\.)x\.ai$/],
  serves: [
    { dialect: openaiChat, constraints: xaiChat },
    { dialect: openaiResponses, constraints: xaiResponses },
  ],
}
