import type { Provider } from '../core/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages.ts'
import { openaiChat } from '../dialects/openai-chat.ts'
import { openaiResponses } from '../dialects/openai-responses.ts'
import { byModel } from './by-model.ts'
import { messagesLaws } from './claude.ts'
import { M } from './evidence.ts'
import { mistralLaws } from './mistral.ts'
import { CLAUDE_4_6 } from './models.ts'
import { chatLaws, responsesLaws } from './openai-laws.ts'

/** Passed on to whoever serves the model, and judged there. */
const routedLaws = byModel(
  byModel(
    { ...chatLaws, 'last-assistant-prefill': M({ models: CLAUDE_4_6 }) },
    {
      'tool-result-duplicate': M(),
      'role-unknown': M({ roles: ['system', 'developer', 'user', 'assistant', 'tool'], required: true }),
    },
    /deepseek\//i,
  ),
  mistralLaws,
  /mistralai\//i,
)

export const openrouter: Provider = {
  id: 'openrouter',
  hosts: [/(^|\.)openrouter\.ai$/],
  serves: [
    { dialect: openaiChat, laws: routedLaws },
    { dialect: openaiResponses, laws: responsesLaws },
    { dialect: anthropicMessages, laws: messagesLaws },
  ],
}
