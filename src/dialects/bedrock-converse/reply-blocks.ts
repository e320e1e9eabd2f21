/**
 * What of Converse's blocks may stand in a history.
 */
import { isObject, type JsonObject, own } from '../../core/json.ts'
import { textOf } from '../blocks.ts'
import { argumentsOf, type Calls, sort } from '../replies/calls.ts'

/** A block as far as it came: as it was announced, and what its deltas added. */
export interface Block {
  readonly index: number
  readonly block: JsonObject
  text: string | undefined
  json: string | undefined
  reasons: boolean
  thought: string | undefined
  signature: string | undefined
  redacted: string | undefined
  readonly citations: unknown[]
  readonly results: unknown[]
  closed: boolean
}

export function blockOf(index: number): Block {
  return {
    index,
    block: {},
    text: undefined,
    json: undefined,
    reasons: false,
    thought: undefined,
    signature: undefined,
    redacted: undefined,
    citations: [],
    results: [],
    closed: false,
  }
}

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
  // Claude rejects a message that ends on its thinking.
  while (isObject(own(kept.at(-1), 'reasoningContent'))) kept.pop()
  return kept.length === 0 ? [] : [{ role: 'assistant', content: kept }]
}

function settled(held: Block, complete: boolean, cutShort: boolean, calls: Calls): JsonObject | undefined {
  const { block } = held
  if (isObject(block['toolUse']) || held.json !== undefined) return toolUse(held, complete, cutShort, calls)
  if (isObject(block['toolResult'])) return result(held, block['toolResult'])
  if (held.reasons) return { ...block, reasoningContent: reasoning(held) }
  if (held.citations.length > 0) {
    const content = held.text === undefined ? [] : [{ text: held.text }]
    return { ...block, citationsContent: { content, citations: held.citations } }
  }
  const whole = held.text === undefined ? block : { ...block, text: held.text }
  const { text } = whole
  if (Object.keys(whole).length === 0 || (typeof text === 'string' && text.trim() === '')) return
  return whole
}

function toolUse(held: Block, complete: boolean, cutShort: boolean, calls: Calls): JsonObject | undefined {
  const use = isObject(held.block['toolUse']) ? held.block['toolUse'] : {}
  const input = inputOf(held, use, cutShort)
  const whole = input === undefined ? undefined : { ...held.block, toolUse: { ...use, input } }
  // What Bedrock runs itself has its result in the same answer.
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

function result(held: Block, toolResult: JsonObject): JsonObject {
  const { results } = held
  return results.length === 0 ? held.block : { ...held.block, toolResult: { ...toolResult, content: results } }
}

function reasoning({ thought, signature, redacted }: Block): JsonObject {
  if (redacted !== undefined) return { redactedContent: redacted }
  return { reasoningText: { text: thought ?? '', ...(signature === undefined ? {} : { signature }) } }
}

/** Whether a block of an answer that did not end may be kept: text as far as it came, reasoning only when it is signed. */
function isValid(held: Block, block: JsonObject): boolean {
  if (typeof block['text'] === 'string') return true
  if (!held.closed || isObject(block['toolUse']) || isObject(block['toolResult'])) return false
  if (!isObject(block['reasoningContent'])) return true
  return Boolean(held.redacted ?? held.signature)
}
