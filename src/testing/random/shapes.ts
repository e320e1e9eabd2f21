/**
 * Conversations in native formats, with the variants of each: strings and lists, nulls, snake-case and camel-case keys.
 */
import { aiSdkShape } from './ai-sdk-shape.ts'
import { aiSdkUiShape } from './ai-sdk-ui-shape.ts'
import { anthropicShape } from './anthropic-shape.ts'
import { bedrockShape } from './bedrock-shape.ts'
import { chatShape } from './chat-shape.ts'
import { geminiShape } from './gemini-shape.ts'
import { langchainShape } from './langchain-shape.ts'
import { responsesShape } from './responses-shape.ts'
import type { Shape } from './shape.ts'

export const shapes: Readonly<Record<string, Shape>> = {
  'openai-chat': chatShape,
  'openai-responses': responsesShape,
  'anthropic-messages': anthropicShape,
  gemini: geminiShape,
  'bedrock-converse': bedrockShape,
  'ai-sdk': aiSdkShape,
  'ai-sdk-ui': aiSdkUiShape,
  langchain: langchainShape,
}
