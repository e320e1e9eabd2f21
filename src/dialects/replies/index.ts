/**
 * Replies of each dialect: read from JSON or from a stream, and the error event that ends a stream.
 * Separate from the `Dialect` objects, so that a bundle that only repairs histories does not contain it.
 */
import type { ReplyForm } from '../../core/reply.ts'
import { anthropicMessagesReply } from '../anthropic-messages/reply.ts'
import { bedrockConverseReply } from '../bedrock-converse/reply.ts'
import { geminiReply } from '../gemini/reply.ts'
import { openaiChatReply } from '../openai-chat/reply.ts'
import { openaiResponsesReply } from '../openai-responses/reply.ts'

export { framingOf, type Splitter, type SplitterOptions, splitter } from './frames.ts'

/** By dialect id. Dialects without a wire have no replies. */
export const replies: Readonly<Record<string, ReplyForm>> = {
  'openai-chat': openaiChatReply,
  'openai-responses': openaiResponsesReply,
  'anthropic-messages': anthropicMessagesReply,
  gemini: geminiReply,
  'bedrock-converse': bedrockConverseReply,
}
