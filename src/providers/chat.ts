/**
 * A provider that speaks OpenAI's chat dialect and nothing else. What it does not state is assumed to be as with OpenAI, and only a warning.
 */
import type { Provider } from '../core/index.ts'
import { openaiChat } from '../dialects/openai-chat.ts'
import type { Constraints } from '../rules/index.ts'
import { likeChat } from './openai-constraints.ts'

export const chat = (id: string, hosts: readonly RegExp[], constraints: Constraints): Provider => ({
  id,
  hosts,
  serves: [{ dialect: openaiChat, constraints: { ...likeChat, ...constraints } }],
})
