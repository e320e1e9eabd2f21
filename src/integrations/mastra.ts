/**
 * `suture/mastra`: an input processor for Mastra agents. Mastra drops tool calls that have no result; here the model
 * sees that their outcome is unknown. With `memory` that repair is stored, once. The prompt that Mastra builds from its
 * messages is repaired too, for this call only.
 */
import type { InputProcessor } from '@mastra/core/processors'
import { own, wordOf } from '../core/index.ts'
import { checkOptions, checkValue } from '../core/options.ts'
import { type Cause, causeText } from '../index.ts'
import { INTEGRATION_OPTIONS, type IntegrationOptions, repairFor } from './repair-for.ts'

/** Options of the input processor. */
export interface RepairProcessorOptions extends IntegrationOptions<unknown> {
  /**
   * The agent's memory: stored messages with open calls are replaced by repaired ones, once. Default: stored messages
   * stay as they are.
   */
  readonly memory?: MessageStore
}

/** What `repairProcessor` needs of a Mastra memory. A message with the id of a stored one replaces it. */
export interface MessageStore {
  saveMessages(args: { messages: Message[] }): Promise<unknown>
}

type Message = Parameters<NonNullable<InputProcessor['processInput']>>[0]['messages'][number]
type MessagePart = Message['content']['parts'][number]

/** For `new Agent({ inputProcessors: [repairProcessor()] })`, last in the list. */
export function repairProcessor(options: RepairProcessorOptions = {}): InputProcessor {
  checkOptions('repairProcessor', options, { ...INTEGRATION_OPTIONS, memory: 'object' })
  const { memory, ...shared } = options
  return {
    id: 'suture-repair',
    processInput: async ({ messages }) => {
      const now = messages.map((message) => answered(message, options.cause ?? 'lost'))
      const repaired = now.filter((message, i) => message !== messages[i] && message.threadId !== undefined)
      if (memory && repaired.length > 0) await memory.saveMessages({ messages: repaired })
      return now
    },
    processLLMRequest: ({ prompt }) => {
      const repaired = repairFor('ai-sdk', prompt, shared)
      return repaired === prompt ? undefined : { prompt: repaired }
    },
  }
}

/** A message whose open calls have a result. `repairProcessor({ memory })` stores it. */
export function answered(message: Message, cause: Cause = 'lost'): Message {
  checkValue('The message', message, 'object', 'Pass one message of Mastra.')
  if (message.role !== 'assistant') return message
  const waiting = waitingIn(message)
  const parts = message.content.parts.map((part) => (isOpen(part, waiting) ? withResult(part, cause) : part))
  if (parts.every((part, i) => part === message.content.parts[i])) return message
  return { ...message, content: { ...message.content, parts } }
}

/** Calls that wait for an approval or are suspended, by id and by name: Mastra keeps both in the message's metadata. */
function waitingIn({ content }: Message): ReadonlySet<string> {
  const kept = [own(content.metadata, 'pendingToolApprovals'), own(content.metadata, 'suspendedTools')]
  const entries = kept.flatMap((one) => (one && typeof one === 'object' ? Object.entries(one) : []))
  return new Set(entries.flatMap(([key, value]) => [key, wordOf(own(value, 'toolCallId'))]))
}

function isOpen(part: MessagePart, waiting: ReadonlySet<string>): part is MessagePart & { type: 'tool-invocation' } {
  // A tool that the provider runs is answered by the provider.
  if (part.type !== 'tool-invocation' || part.providerExecuted) return false
  const { state, toolCallId, toolName } = part.toolInvocation
  return (state === 'call' || state === 'partial-call') && !waiting.has(toolCallId) && !waiting.has(toolName)
}

function withResult(part: MessagePart & { type: 'tool-invocation' }, cause: Cause): MessagePart {
  const toolInvocation = { ...part.toolInvocation, state: 'result' as const, result: causeText(cause) }
  return { ...part, toolInvocation } as MessagePart
}
