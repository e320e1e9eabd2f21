/**
 * All dialects.
 */
import type { Dialect } from '../core/index.ts'
import { aiSdk } from './ai-sdk.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { bedrockConverse } from './bedrock-converse.ts'
import { gemini } from './gemini.ts'
import { langchain } from './langchain.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'

export { aiSdk, anthropicMessages, bedrockConverse, gemini, langchain, openaiChat, openaiResponses }

export const dialects: readonly Dialect[] = [
  openaiChat,
  openaiResponses,
  anthropicMessages,
  gemini,
  bedrockConverse,
  aiSdk,
  langchain,
]
