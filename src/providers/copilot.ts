import type { Provider } from '../core/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages.ts'
import { openaiChat } from '../dialects/openai-chat.ts'
import { openaiResponses } from '../dialects/openai-responses.ts'
import { messagesLaws } from './claude.ts'
import { M } from './evidence.ts'
import { CLAUDE_4_6 } from './models.ts'
import { chatLaws, responsesLaws } from './openai-laws.ts'

export const copilot: Provider = {
  id: 'copilot',
  hosts: [/(^|\.)githubcopilot\.com$/],
  serves: [
    { dialect: openaiChat, laws: { ...chatLaws, 'last-assistant-prefill': M({ models: CLAUDE_4_6 }) } },
    // Item ids are bound to a connection of Copilot's own backend, which the next request may not get.
    { dialect: openaiResponses, laws: { ...responsesLaws, 'item-id-other-connection': M() } },
    { dialect: anthropicMessages, laws: messagesLaws },
  ],
}
