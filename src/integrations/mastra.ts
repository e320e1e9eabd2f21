/**
 * `suture/mastra`: an input processor for Mastra agents. Mastra drops tool calls that have no result; here the model learns that their outcome is unknown.
 * It also repairs the prompt that Mastra makes of its messages, for this call only.
 */
import type { InputProcessor } from '@mastra/core/processors'
import { own } from '../core/index.ts'
import { checkOptions, checkValue, type OptionTable } from '../core/options.ts'
import { type Cause, causeText, type Policy, type Repaired, repair } from '../index.ts'

export interface RepairProcessorOptions {
  readonly policy?: Partial<Policy>
  /** Why results are missing. Default: `lost`. */
  readonly cause?: Cause
  /** Called for each repair of a prompt, with findings and patch. */
  readonly onRepair?: (repaired: Repaired<readonly unknown[]>) => void
}

type Prompt = Parameters<NonNullable<InputProcessor['processLLMRequest']>>[0]['prompt']
type Message = Parameters<NonNullable<InputProcessor['processInput']>>[0]['messages'][number]
type MessagePart = Message['content']['parts'][number]

const optionTable: OptionTable<RepairProcessorOptions> = { policy: 'object', cause: 'string', onRepair: 'function' }

/** For `new Agent({ inputProcessors: [repairProcessor()] })`, last in the list. */
export function repairProcessor(options: RepairProcessorOptions = {}): InputProcessor {
  checkOptions<RepairProcessorOptions>('repairProcessor', options, optionTable)
  const { onRepair, ...how } = options
  return {
    id: 'suture-repair',
    processInput: ({ messages }) => messages.map((message) => answered(message, options.cause ?? 'lost')),
    processLLMRequest: ({ prompt }) => {
      const repaired = repair(prompt, { provider: 'ai-sdk', strict: true, ...how })
      if (repaired.patch.length === 0) return undefined
      onRepair?.(repaired)
      return { prompt: repaired.value as Prompt }
    },
  }
}

/** A message whose open calls have a result. Store it with `memory.updateMessages` to repair a thread for good. */
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
  return new Set(entries.flatMap(([key, value]) => [key, String(own(value, 'toolCallId'))]))
}

function isOpen(part: MessagePart, waiting: ReadonlySet<string>): part is MessagePart & { type: 'tool-invocation' } {
  if (part.type !== 'tool-invocation') return false
  const { state, toolCallId, toolName } = part.toolInvocation
  return (state === 'call' || state === 'partial-call') && !waiting.has(toolCallId) && !waiting.has(toolName)
}

function withResult(part: MessagePart & { type: 'tool-invocation' }, cause: Cause): MessagePart {
  const toolInvocation = { ...part.toolInvocation, state: 'result' as const, result: causeText(cause) }
  return { ...part, toolInvocation } as MessagePart
}
