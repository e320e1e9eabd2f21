import {
  type Bound,
  type Dialect,
  defineRule,
  type Explanation,
  isObject,
  own,
  type Part,
  type Transcript,
  tryJsonText,
  wordOf,
} from '../core/index.ts'
import { isTyped, typedBlock } from './lib/block-shape.ts'
import { isForeignBlock, nativeBlock } from './lib/result-blocks.ts'
import { textBlock } from './lib/text-block.ts'

export interface ToolResultShape {
  /** A block inside a result must say its type; what is neither a text nor a list is rejected. */
  readonly typed?: boolean
  /** The content must be there, even an empty one. */
  readonly required?: boolean
  /** Keys that are rejected on blocks inside a result, by the type of the block. */
  readonly extra?: Readonly<Record<string, readonly string[]>>
  /** Native types of results that it is about. Default: all. */
  readonly types?: readonly string[]
  /** Types of blocks that a result may hold, or their keys if blocks have no type. Foreign blocks are rewritten. */
  readonly native?: readonly string[]
  /** Dialects that a block may be in instead. */
  readonly others?: readonly Dialect[]
  /** The content is a list, never a text. */
  readonly list?: boolean
}

export const toolResultShape = defineRule({
  id: 'tool-result-shape',
  phase: 'shape',
  about: () => ({ parts: ['results'] }),
  repair: 'safe',
  messages: {
    kind: 'The result for call {call} in message {index} is neither a string nor a list; {rejects} it. {Repair} writes it as JSON text.',
    block:
      'A block in the result for call {call} in message {index} has no type, or has a field that {rejects}. {Repair} completes it.',
    none: 'The result for call {call} in message {index} has no content; {rejects} it. {Repair} writes an empty string.',
    foreign:
      'A block in the result for call {call} in message {index} has the format of another API; {rejects} it. {Repair} rewrites it.',
  },
  check(t, constraint: Bound<ToolResultShape>, report) {
    const { typed, required, types, list } = constraint
    for (const part of t.results) {
      const { body } = part
      if ((typeof body === 'string' && !list) || (types && !types.includes(part.type))) continue
      const data = { call: part.id ?? '(no id)' }
      if (body === undefined || body === null) {
        if (required) report('none', part, data, [write(part, '')])
        // A null says what no content says.
        else if (body === null) report('none', part, data, [write(part, '')], { harmless: true, severity: 'warning' })
      } else if (!Array.isArray(body)) {
        if (typed || list) report('kind', part, data, [write(part, asContent(t, body, list))])
      } else if (body.some((block) => isForeignBlock(block, constraint)))
        report('foreign', part, data, [write(part, rewritten(t, body, constraint))])
      else if (list && !body.every(isObject)) report('block', part, data, [write(part, complete(t, body, constraint))])
      else if (typed && !body.every((block) => isTyped(block) && extraIn(block, constraint) === undefined))
        report('block', part, data, [write(part, complete(t, body, constraint))])
    }
  },
})

function write(part: Part, result: unknown) {
  return { do: 'write', part, change: { result } } as const
}

/** A block on its own becomes a list of one. */
function asContent(t: Transcript, body: unknown, list: boolean | undefined): unknown {
  const content = isObject(body) && isTyped(body) ? [body] : typeof body === 'string' ? body : (tryJsonText(body) ?? '')
  return list && typeof content === 'string' ? [textBlock(t, content)] : content
}

function rewritten(t: Transcript, body: readonly unknown[], constraint: ToolResultShape): unknown {
  return body.map((block) => (isForeignBlock(block, constraint) ? nativeBlock(t, block, constraint) : block))
}

/** Blocks without anything in them go. */
function complete(t: Transcript, body: readonly unknown[], constraint: ToolResultShape): unknown {
  const blocks = body
    .filter((block) => block !== null && block !== undefined)
    .map((block) => without(typedBlock(t, block), constraint))
    .filter((block) => own(block, 'text') !== '')
  if (constraint.list && blocks.length === 0) return [textBlock(t, '(no output)')]
  return blocks.length > 0 ? blocks : ''
}

function extraIn(block: unknown, { extra }: ToolResultShape): string | undefined {
  const keys = extra?.[wordOf(own(block, 'type'))]
  return keys?.find((key) => Object.hasOwn(block as object, key))
}

function without(block: unknown, constraint: ToolResultShape): unknown {
  let copy = block
  for (let key = extraIn(copy, constraint); key !== undefined; key = extraIn(copy, constraint)) {
    const { [key]: _gone, ...rest } = copy as Record<string, unknown>
    copy = rest
  }
  return copy
}

export const explanation: Explanation = {
  summary: 'The content of a result is a text or a list of blocks, and each block has a type.',
  why: 'An object, a block without a type or a field that the provider does not know makes the request invalid.',
  repair: 'Repair turns an object into JSON text, completes the block, or removes the rejected key.',
}
