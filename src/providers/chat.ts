/** A provider that serves OpenAI's chat dialect only. Constraints that it does not state are OpenAI's, as warnings. */
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
