/**
 * A provider that speaks OpenAI's chat dialect and nothing else. What it does not state is assumed to be as with OpenAI, and only a warning.
 */
import type { Laws, Provider } from '../core/index.ts'
import { openaiChat } from '../dialects/openai-chat.ts'
import { likeChat } from './openai-laws.ts'

export const chat = (id: string, hosts: readonly RegExp[], laws: Laws): Provider => ({
  id,
  hosts,
  serves: [{ dialect: openaiChat, laws: { ...likeChat, ...laws } }],
})
