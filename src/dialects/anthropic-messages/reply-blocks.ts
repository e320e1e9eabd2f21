/** Which blocks of Anthropic's reply are kept in the history. */
import { isObject, type JsonObject, own } from '../../core/json.ts'
import { isThinking, textOf } from '../blocks.ts'
import { type Block, messageOf } from '../replies/block.ts'
import { argumentsOf, type Calls, sort } from '../replies/calls.ts'

/** The blocks as one message, or none. */
export function messagesOf(
  blocks: readonly Block[],
  complete: boolean,
  cutShort: boolean,
  calls: Calls,
): readonly unknown[] {
  const kept = blocks.flatMap((held, at) => {
    const block = settled(held, complete, cutShort && at === blocks.length - 1, calls)
    return block && (complete || isValid(held, blocks)) ? [block] : []
  })
  return messageOf(kept, isThinking)
}

function settled(held: Block, complete: boolean, cutShort: boolean, calls: Calls): JsonObject | undefined {
  const { block, json, closed } = held
  if (block['type'] === 'text') return isBlank(block['text']) ? undefined : block
  if (!Object.hasOwn(block, 'input') && json === undefined) return block
  const input = inputOf(held, cutShort)
  const whole = input === undefined ? undefined : { ...block, input }
  if (block['type'] !== 'tool_use') return whole
  const text = json || textOf(block['input'] ?? {})
  const draft = { id: block['id'], name: block['name'], text, arguments: input, ended: complete && closed }
  return sort(draft, calls) ? whole : undefined
}

/** Streamed pieces take precedence over the input in the block's start event. */
function inputOf({ block, json, closed }: Block, cutShort: boolean): JsonObject | undefined {
  if (json !== undefined && json.trim() !== '') return argumentsOf(json)
  // An empty input at the token limit or at a cut is not a call without arguments.
  if (json !== undefined && (cutShort || !closed)) return
  const { input } = block
  return isObject(input) ? input : input === undefined ? {} : undefined
}

/** Whether a block of an incomplete reply may be kept: text always, other blocks only if they are complete. */
function isValid(held: Block, blocks: readonly Block[]): boolean {
  const { block, closed } = held
  const { type, signature, tool_use_id, id } = block
  if (type === 'text') return true
  if (!closed) return false
  if (type === 'thinking') return typeof signature === 'string' && signature !== ''
  if (typeof tool_use_id === 'string') return blocks.some((one) => one.closed && own(one.block, 'id') === tool_use_id)
  const serves = typeof type === 'string' && type.endsWith('tool_use')
  return !serves || blocks.some((one) => one.closed && own(one.block, 'tool_use_id') === id)
}

// Claude sometimes writes blank text, but rejects it in a history.
function isBlank(text: unknown): boolean {
  return typeof text !== 'string' || text.trim() === ''
}
