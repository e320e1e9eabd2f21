/**
 * One writer a dialect, by the dialect's id.
 */
import { aiSdkUi } from './ai-sdk-ui.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { bedrockConverse } from './bedrock-converse.ts'
import { gemini } from './gemini.ts'
import { aiSdk, langchain } from './in-process.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import type { Writer } from './writer.ts'

export type { Writer } from './writer.ts'

const writers = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'anthropic-messages': anthropicMessages,
  gemini,
  'bedrock-converse': bedrockConverse,
  'ai-sdk': aiSdk,
  'ai-sdk-ui': aiSdkUi,
  langchain,
} as const satisfies Readonly<Record<string, Writer>>

export type WrittenDialect = keyof typeof writers

export function writerOf(dialect: string): Writer {
  if (Object.hasOwn(writers, dialect)) return writers[dialect as WrittenDialect]
  throw new Error(`No writer for the dialect "${dialect}": add one to bench/writers.`)
}
