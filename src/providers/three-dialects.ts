/**
 * A provider that serves both dialects of OpenAI and that of Anthropic. Constraints that it does not state are theirs.
 */
import type { Provider } from '../core/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import type { Constraints } from '../rules/index.ts'
import { messagesConstraints } from './claude.ts'
import { chatConstraints, responsesConstraints } from './openai-constraints.ts'

interface Tables {
  readonly chat: Constraints
  readonly responses?: Constraints
}

export function threeDialects<const Id extends string>(
  id: Id,
  hosts: readonly RegExp[],
  { chat, responses }: Tables,
): Provider<Id> {
  return {
    id,
    hosts,
    serves: [
      { dialect: openaiChat, constraints: { ...chatConstraints, ...chat } },
      { dialect: openaiResponses, constraints: { ...responsesConstraints, ...responses } },
      { dialect: anthropicMessages, constraints: messagesConstraints },
    ],
  }
}
