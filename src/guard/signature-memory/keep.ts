/** Takes the reasoning of a complete reply apart, call by call. */
import { type JsonObject, type Part, type Service, Transcript } from '../../core/index.ts'
import { type CallPlace, keyedCalls } from './call-keys.ts'
import type { CallReasoning } from './memory.ts'
import { fieldsOf, hasValue, isResendable, messageKeys, signedFields } from './policy.ts'

/** What the request says about its reply. `settings`: the request without its history. */
export interface RequestOfReply {
  readonly service: Service
  readonly provider: string
  readonly settings: JsonObject
  readonly place: CallPlace
}

export function reasoningByCall(
  messages: readonly unknown[],
  about: RequestOfReply,
): ReadonlyMap<string, CallReasoning> {
  const { service, provider, settings, place } = about
  const transcript = new Transcript(messages, service.dialect)
  const { calls } = keyedCalls(transcript, place)
  const found = new Map<string, CallReasoning>()
  for (const { call, key } of calls) {
    const isBlocks = service.dialect.id !== 'gemini' && service.dialect.id !== 'openai-chat'
    const blocks = isBlocks ? blocksBefore(call, transcript).filter(({ part }) => isResendable(part, settings)) : []
    const messageFields = fieldsOf(messages[call.message], messageKeys(service, provider))
    const callFields = signedFields(call)
    const reasoning: CallReasoning = {
      ...(hasValue(call.signature) ? { signature: call.signature } : {}),
      ...(callFields ? { callFields } : {}),
      ...(messageFields ? { messageFields } : {}),
      ...(blocks.length > 0 ? { blocks: blocks.map(({ part, after }) => ({ value: part.value, after })) } : {}),
    }
    if (Object.keys(reasoning).length > 0) found.set(key, reasoning)
  }
  return found
}

/** Reasoning between a call and the client-side call before it, with the number of other parts before each. */
function blocksBefore(call: Part, { parts }: Transcript): readonly { readonly part: Part; readonly after: number }[] {
  let blocks: { part: Part; after: number }[] = []
  let after = 0
  for (const part of parts) {
    if (part === call) break
    if (part.kind === 'reasoning') blocks.push({ part, after })
    else after++
    if (part.kind !== 'call' || part.server) continue
    blocks = []
    after = 0
  }
  return blocks
}
