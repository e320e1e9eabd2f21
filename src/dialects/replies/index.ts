/**
 * How each dialect answers: replies from JSON or from a stream, and the error event with which to end one.
 * Apart from the `Dialect` objects, so that a bundle that only repairs histories leaves it out.
 */
import type { ReplyForm } from '../../core/reply.ts'
import { anthropicMessagesReply } from '../anthropic-messages/reply.ts'
import { bedrockConverseReply } from '../bedrock-converse/reply.ts'
import { geminiReply } from '../gemini/reply.ts'
import { openaiChatReply } from '../openai-chat/reply.ts'
import { openaiResponsesReply } from '../openai-responses/reply.ts'

export { framingOf, type Splitter, type SplitterOptions, splitter } from './frames.ts'

/** By dialect id. The in-process dialects have no wire, and so no replies. */
export const replies: Readonly<Record<string, ReplyForm>> = {
  'openai-chat': openaiChatReply,
  'openai-responses': openaiResponsesReply,
  'anthropic-messages': anthropicMessagesReply,
  gemini: geminiReply,
  'bedrock-converse': bedrockConverseReply,
}
