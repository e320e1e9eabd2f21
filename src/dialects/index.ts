import type { Dialect } from '../core/index.ts'
import { aiSdk } from './ai-sdk/index.ts'
import { aiSdkUi } from './ai-sdk-ui/index.ts'
import { anthropicMessages } from './anthropic-messages/index.ts'
import { bedrockConverse } from './bedrock-converse/index.ts'
import { gemini } from './gemini/index.ts'
import { langchain } from './langchain/index.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiResponses } from './openai-responses/index.ts'

export { aiSdk, aiSdkUi, anthropicMessages, bedrockConverse, gemini, langchain, openaiChat, openaiResponses }

const all = [
  openaiChat,
  openaiResponses,
  anthropicMessages,
  gemini,
  bedrockConverse,
  aiSdk,
  aiSdkUi,
  langchain,
] as const satisfies readonly Dialect[]

/** The ids of the built-in dialects. */
export type DialectId = (typeof all)[number]['id']

/** All dialects. */
export const dialects: readonly Dialect<DialectId>[] = all

/** The dialects that parts of a history may be in by mistake. */
export function dialectsBeside({ id }: Dialect): readonly Dialect[] {
  return dialects.filter((dialect) => dialect.id !== id)
}
