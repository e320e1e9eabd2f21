import type { Provider } from '../core/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { chatConstraints, responsesConstraints } from './openai-constraints.ts'

const hosts = [/(^|\.)api\.openai\.com$/]

/** OpenAI: Chat Completions and Responses. */
export const openai: Provider<'openai'> = {
  id: 'openai',
  hosts,
  serves: [
    { dialect: openaiChat, constraints: chatConstraints },
    { dialect: openaiResponses, constraints: responsesConstraints },
  ],
}

/** The same host, for callers who mean the Responses API. */
export const openaiResponsesProvider: Provider<'openai-responses'> = {
  id: 'openai-responses',
  hosts,
  serves: [{ dialect: openaiResponses, constraints: responsesConstraints }],
}
