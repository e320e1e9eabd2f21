/** Which blocks of a Converse reply are kept in the history. */
import { isObject, type JsonObject, own } from '../../core/json.ts'
import { textOf } from '../blocks.ts'
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
    return block && (complete || isValid(held, block)) ? [block] : []
  })
  return messageOf(kept, (block) => isObject(own(block, 'reasoningContent')))
}

function settled(held: Block, complete: boolean, cutShort: boolean, calls: Calls): JsonObject | undefined {
  const { block } = held
  if (isObject(block['toolUse']) || held.json !== undefined) return toolUse(held, complete, cutShort, calls)
  if (isObject(block['toolResult']) || isObject(block['reasoningContent'])) return block
  const { text, citation: citations, ...rest } = block
  if (Array.isArray(citations)) {
    const content = text === undefined ? [] : [{ text }]
    return { ...rest, citationsContent: { content, citations } }
  }
  return Object.keys(block).length === 0 || (typeof text === 'string' && text.trim() === '') ? undefined : block
}

function toolUse(held: Block, complete: boolean, cutShort: boolean, calls: Calls): JsonObject | undefined {
  const use = isObject(held.block['toolUse']) ? held.block['toolUse'] : {}
  const input = inputOf(held, use, cutShort)
  const whole = input === undefined ? undefined : { ...held.block, toolUse: { ...use, input } }
  // A tool that Bedrock runs has its result in the same reply.
  if (use['type'] === 'server_tool_use') return whole
  const text = held.json || textOf(use['input'] ?? {})
  const draft = { id: use['toolUseId'], name: use['name'], text, arguments: input, ended: complete && held.closed }
  return sort(draft, calls) ? whole : undefined
}

function inputOf({ json, closed }: Block, use: JsonObject, cutShort: boolean): JsonObject | undefined {
  if (json !== undefined && json.trim() !== '') return argumentsOf(json)
  const { input } = use
  if (input !== undefined) return isObject(input) ? input : undefined
  return cutShort || !closed ? undefined : {}
}

/** Whether a block of an incomplete reply may be kept: text always, reasoning only with its signature. */
function isValid(held: Block, block: JsonObject): boolean {
  if (typeof block['text'] === 'string') return true
  if (!held.closed || isObject(block['toolUse']) || isObject(block['toolResult'])) return false
  const { reasoningContent: reasoning } = block
  if (!isObject(reasoning)) return true
  return Boolean(reasoning['redactedContent'] ?? own(reasoning['reasoningText'], 'signature'))
}
