import type { Provider } from '../core/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import type { Constraints } from '../rules/index.ts'
import { messagesConstraints } from './claude.ts'
import { CLAUDE_4_6 } from './models.ts'
import { chatConstraints, responsesConstraints } from './openai-constraints.ts'

const copilotChat: Constraints = {
  ...chatConstraints,
  'last-assistant-prefill': { evidence: 'many-reports', calls: ['function'], models: CLAUDE_4_6 },
}

/** Item ids are bound to a connection of Copilot's own backend, which the next request may not get. */
const copilotResponses: Constraints = {
  ...responsesConstraints,
  'item-id-other-connection': { evidence: 'many-reports' },
}

export const copilot: Provider<'copilot'> = {
  id: 'copilot',
  hosts: [/(^|\.)githubcopilot\.com$/],
  serves: [
    { dialect: openaiChat, constraints: copilotChat },
    { dialect: openaiResponses, constraints: copilotResponses },
    { dialect: anthropicMessages, constraints: messagesConstraints },
  ],
}
