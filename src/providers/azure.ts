import type { Provider } from '../core/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import type { Constraints } from '../rules/index.ts'
import { messagesConstraints } from './claude.ts'
import { GPT_5 } from './models.ts'
import { chatConstraints, responsesConstraints } from './openai-constraints.ts'

const azureChat: Constraints = {
  ...chatConstraints,
  'tool-call-id-too-long': [
    { evidence: 'many-reports', max: 40, except: GPT_5 },
    { evidence: 'many-reports', max: 64, models: GPT_5 },
  ],
}

export const azure: Provider<'azure'> = {
  id: 'azure',
  hosts: [/\.openai\.azure\.com$/, /\.services\.ai\.azure\.com$/, /\.cognitiveservices\.azure\.com$/],
  serves: [
    { dialect: openaiChat, constraints: azureChat },
    { dialect: openaiResponses, constraints: responsesConstraints },
    // Claude, in Foundry.
    { dialect: anthropicMessages, constraints: messagesConstraints },
  ],
}
