import type { Provider } from '../core/index.ts'
import { openaiChat } from '../dialects/openai-chat.ts'
import { openaiResponses } from '../dialects/openai-responses.ts'
import { chatConstraints, responsesConstraints } from './openai-constraints.ts'

const hosts = [/(^|\.)api\.openai\.com$/]

export const openai: Provider = {
  id: 'openai',
  hosts,
  serves: [
    { dialect: openaiChat, constraints: chatConstraints },
    { dialect: openaiResponses, constraints: responsesConstraints },
  ],
}

/** The same host, for callers who mean the Responses API. */
export const openaiResponsesProvider: Provider = {
  id: 'openai-responses',
  hosts,
  serves: [{ dialect: openaiResponses, constraints: responsesConstraints }],
}
