/** The request form of each dialect that has a wire. */
import type { Dialect } from '../core/index.ts'
import { anthropicMessagesRequest } from './anthropic-messages/request.ts'
import { bedrockConverseRequest } from './bedrock-converse/request.ts'
import { geminiRequest } from './gemini/request.ts'
import { openaiChatRequest } from './openai-chat/request.ts'
import { openaiResponsesRequest } from './openai-responses/request.ts'
import type { RequestForm } from './request.ts'

const forms: Readonly<Record<string, RequestForm>> = {
  'openai-chat': openaiChatRequest,
  'openai-responses': openaiResponsesRequest,
  'anthropic-messages': anthropicMessagesRequest,
  gemini: geminiRequest,
  'bedrock-converse': bedrockConverseRequest,
}

/** Undefined for a dialect that has no wire. */
export function requestFormOf(dialect: Dialect): RequestForm | undefined {
  return forms[dialect.id]
}

/** The endpoint: `url` if it has the dialect's path, else `url` with that path. */
export function addressOf(url: string, model: string, dialect: Dialect): string {
  if (dialect.paths.test(new URL(url).pathname)) return url
  return `${url.replace(/\/$/, '')}${forms[dialect.id]!.path(model)}`
}
