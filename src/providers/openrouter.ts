import type { Provider } from '../core/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages.ts'
import { openaiChat } from '../dialects/openai-chat.ts'
import { openaiResponses } from '../dialects/openai-responses.ts'
import { messagesLaws } from './claude.ts'
import { I } from './evidence.ts'
import { chatLaws, responsesLaws } from './openai-laws.ts'

export const openrouter: Provider = {
  id: 'openrouter',
  hosts: [/(^|\.)openrouter\.ai$/],
  serves: [
    { dialect: openaiChat, laws: { ...chatLaws, 'tool-calls-empty-array': I() } },
    { dialect: openaiResponses, laws: responsesLaws },
    { dialect: anthropicMessages, laws: messagesLaws },
  ],
}
