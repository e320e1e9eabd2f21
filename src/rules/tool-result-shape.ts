import { type Bound, defineRule, type Explanation, isObject, own, type Part, type Transcript } from '../core/index.ts'
import { isTyped, typedBlock } from './lib/block-shape.ts'
import { toText } from './lib/content.ts'

export const explanation: Explanation = {
  summary: 'The content of a result is a text or a list of blocks, each with its type.',
  why: 'An object, a block without a type or a field that the provider does not know makes the request invalid.',
  rejections: [
    /tool_result\.content: Input should be a valid string/i,
    /tool_result\.content\.\d+\.(?:type|text\.text): Field required/i,
    /tool_result\.content\.\d+\.\w+\.\w+: Extra inputs are not permitted/i,
    /Missing required parameter: '?input\[\w+\]\.output/i,
  ],
}

export interface ToolResultShape {
  /** A block inside a result must say its type; what is neither a text nor a list is rejected. */
  readonly typed?: boolean
  /** The content must be there, even an empty one. */
  readonly required?: boolean
  /** Keys that are rejected on blocks inside a result, by the type of the block. */
  readonly extra?: Readonly<Record<string, readonly string[]>>
  /** Native types of results that it is about. Default: all. */
  readonly types?: readonly string[]
}

export const toolResultShape = defineRule({
  id: 'tool-result-shape',
  phase: 'shape',
  about: 'results',
  repair: 'safe',
  messages: {
    kind: 'The result for call {call} in message {index} is neither a string nor a list; {rejects} it. {Repair} writes it as JSON text.',
    block:
      'A block in the result for call {call} in message {index} has no type, or has a field that {rejects}. {Repair} completes it.',
    none: 'The result for call {call} in message {index} has no content; {rejects} it. {Repair} writes an empty string.',
  },
  check(t, constraint: Bound<ToolResultShape>, report) {
    const { typed, required, types } = constraint
    for (const part of t.results) {
      const { body } = part
      if (typeof body === 'string' || (types && !types.includes(part.type))) continue
      const data = { call: part.id ?? '(no id)' }
      if (body === undefined || body === null) {
        if (required) report('none', part, data, [write(part, '')])
      } else if (!Array.isArray(body)) {
        if (typed) report('kind', part, data, [write(part, asContent(body))])
      } else if (typed && !body.every((block) => isTyped(block) && extraIn(block, constraint) === undefined))
        report('block', part, data, [write(part, complete(t, body, constraint))])
    }
  },
})

function write(part: Part, result: unknown) {
  return { do: 'write', part, change: { result } } as const
}

/** A block on its own becomes a list of one. */
function asContent(body: unknown): unknown {
  return isObject(body) && isTyped(body) ? [body] : (toText(body) ?? '')
}

/** Blocks without anything in them go. */
function complete(t: Transcript, body: readonly unknown[], constraint: ToolResultShape): unknown {
  const blocks = body
    .filter((block) => block !== null && block !== undefined)
    .map((block) => without(typedBlock(t, block), constraint))
    .filter((block) => own(block, 'text') !== '')
  return blocks.length > 0 ? blocks : ''
}

function extraIn(block: unknown, { extra }: ToolResultShape): string | undefined {
  const keys = extra?.[String(own(block, 'type'))]
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
