/** The options of `doStream` of an AI SDK language model, which has no wire. */
import { type JsonObject, own } from '../../core/index.ts'
import { ifAny, type RequestInput } from '../request.ts'

export function modelOptions({ history, system, tools, answerOnly }: Omit<RequestInput, 'model'>): JsonObject {
  const before = system === undefined ? [] : [{ role: 'system', content: system }]
  return {
    prompt: [...before, ...history].map(inParts),
    includeRawChunks: false,
    ...ifAny(tools, {
      tools: tools.map(({ schema, ...tool }) => ({ type: 'function', ...tool, inputSchema: schema })),
      toolChoice: { type: answerOnly ? 'none' : 'auto' },
    }),
  }
}

/** The message with its text as a part: a model's prompt has parts only. */
export function inParts(message: unknown): unknown {
  const content = own(message, 'content')
  if (typeof content !== 'string' || own(message, 'role') === 'system') return message
  return { ...(message as JsonObject), content: [{ type: 'text', text: content }] }
}
