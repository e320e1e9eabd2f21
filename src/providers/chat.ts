/**
 * A provider that speaks OpenAI's chat dialect and nothing else. What it does not state is assumed to be as with OpenAI, and only a warning.
 */
import type { Provider } from '../core/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import type { Constraints } from '../rules/index.ts'
import { likeChat } from './openai-constraints.ts'

export function chat<const Id extends string>(
  id: Id,
  hosts: readonly RegExp[],
  constraints: Constraints,
): Provider<Id> {
  return { id, hosts, serves: [{ dialect: openaiChat, constraints: { ...likeChat, ...constraints } }] }
}
