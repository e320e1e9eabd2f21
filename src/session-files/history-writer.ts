/**
 * Messages of a dialect, for agents that store conversations in a shape of their own and send them in their provider's.
 * Only for showing, checking and export: these formats are not written.
 */
import { asText, fromJson } from './json-values.ts'

export type WriterDialect = 'anthropic-messages' | 'openai-chat' | 'gemini'

export interface WrittenCall {
  readonly id: string
  readonly name: string
  /** An object, or the JSON text that the model wrote. */
  readonly arguments: unknown
}

export interface WrittenResult {
  readonly id: string
  readonly name: string
  readonly content: unknown
  readonly failed?: boolean
}

export interface WrittenReply {
  readonly texts: readonly string[]
  /** `key`: the field of a chat message in which the provider wants it back. */
  readonly reasoning?: readonly {
    readonly text: string
    readonly signature?: string | undefined
    readonly key?: string | undefined
  }[]
  readonly calls: readonly WrittenCall[]
}

export interface HistoryWriter {
  user(text: string): unknown
  system(text: string): unknown
  /** No message if the reply has no content. */
  reply(reply: WrittenReply): readonly unknown[]
  /** Messages with these results. */
  results(results: readonly WrittenResult[]): readonly unknown[]
}

const anthropic: HistoryWriter = {
  user: (text) => ({ role: 'user', content: [{ type: 'text', text }] }),
  system: (text) => ({ role: 'user', content: [{ type: 'text', text }] }),
  reply({ texts, reasoning = [], calls }) {
    const content = [
      ...reasoning.flatMap(({ text, signature }) =>
        signature === undefined ? [] : [{ type: 'thinking', thinking: text, signature }],
      ),
      ...texts.filter(isWritten).map((text) => ({ type: 'text', text })),
      ...calls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input: parsedArguments(input) })),
    ]
    return ifAny(content, { role: 'assistant', content })
  },
  results: (results) =>
    ifAny(results, {
      role: 'user',
      content: results.map(({ id, content, failed }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: asText(content),
        ...(failed ? { is_error: true } : {}),
      })),
    }),
}

const openaiChat: HistoryWriter = {
  user: (content) => ({ role: 'user', content }),
  system: (content) => ({ role: 'system', content }),
  reply({ texts, reasoning = [], calls }) {
    const content = texts.filter(isWritten).join('\n')
    const thought = Object.fromEntries(reasoning.flatMap(({ text, key }) => (key === undefined ? [] : [[key, text]])))
    const tool_calls = calls.map(({ id, name, arguments: input }) => ({
      id,
      type: 'function',
      function: { name, arguments: asText(input) },
    }))
    if (tool_calls.length === 0) return content === '' ? [] : [{ role: 'assistant', content, ...thought }]
    return [{ role: 'assistant', content: content === '' ? null : content, ...thought, tool_calls }]
  },
  results: (results) =>
    results.map(({ id, content }) => ({ role: 'tool', tool_call_id: id, content: asText(content) })),
}

const gemini: HistoryWriter = {
  user: (text) => ({ role: 'user', parts: [{ text }] }),
  system: (text) => ({ role: 'user', parts: [{ text }] }),
  reply({ texts, calls }) {
    const parts = [
      ...texts.filter(isWritten).map((text) => ({ text })),
      ...calls.map(({ id, name, arguments: args }) => ({ functionCall: { id, name, args: parsedArguments(args) } })),
    ]
    return ifAny(parts, { role: 'model', parts })
  },
  results: (results) =>
    ifAny(results, {
      role: 'user',
      parts: results.map(({ id, name, content, failed }) => ({
        functionResponse: { id, name, response: { [failed ? 'error' : 'output']: asText(content) } },
      })),
    }),
}

function ifAny(list: readonly unknown[], message: object): readonly unknown[] {
  return list.length > 0 ? [message] : []
}

function isWritten(text: string): boolean {
  return text !== ''
}

/** Arguments that are not JSON stay a text, so that the checks see them. */
function parsedArguments(input: unknown): unknown {
  const value = fromJson(input)
  return value === undefined ? input : value
}

const WRITERS: Readonly<Record<WriterDialect, HistoryWriter>> = {
  'anthropic-messages': anthropic,
  'openai-chat': openaiChat,
  gemini,
}

export function writerFor(dialect: WriterDialect): HistoryWriter {
  return WRITERS[dialect]
}
