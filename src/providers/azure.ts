import type { Provider } from '../core/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages.ts'
import { openaiChat } from '../dialects/openai-chat.ts'
import { openaiResponses } from '../dialects/openai-responses.ts'
import { messagesLaws } from './claude.ts'
import { M } from './evidence.ts'
import { GPT_5 } from './models.ts'
import { chatLaws, responsesLaws } from './openai-laws.ts'

export const azure: Provider = {
  id: 'azure',
  hosts: [/\.openai\.azure\.com$/, /\.services\.ai\.azure\.com$/, /\.cognitiveservices\.azure\.com$/],
  serves: [
    {
      dialect: openaiChat,
      laws: { ...chatLaws, 'tool-call-id-too-long': [M({ max: 40, except: GPT_5 }), M({ max: 64, models: GPT_5 })] },
    },
    { dialect: openaiResponses, laws: responsesLaws },
    // Claude, in Foundry.
    { dialect: anthropicMessages, laws: messagesLaws },
  ],
}
