/**
 * Messages of a dialect, for agents that store conversations in a shape of their own and send them in their provider's.
 * Only for showing, checking and export: these formats are not written.
 */
import { type Dialect, Part } from '../core/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { gemini as geminiDialect } from '../dialects/gemini/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { asText, fromJson } from './json-values.ts'
import { chatCall, type StoredCall } from './shared/chat-call.ts'

export type WriterDialect = 'anthropic-messages' | 'openai-chat' | 'gemini'

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
  readonly calls: readonly StoredCall[]
}

export interface HistoryWriter {
  user(text: string): unknown
  system(text: string): unknown
  /** No message if the reply has no content. */
  reply(reply: WrittenReply): readonly unknown[]
  /** Messages with these results. */
  results(results: readonly WrittenResult[]): readonly unknown[]
}

type Reply = HistoryWriter['reply']

const anthropicReply: Reply = ({ texts, reasoning = [], calls }) => {
  const content = [
    ...reasoning.flatMap(({ text, signature }) =>
      signature === undefined ? [] : [{ type: 'thinking', thinking: text, signature }],
    ),
    ...texts.filter(isWritten).map((text) => ({ type: 'text', text })),
    ...calls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input: parsedArguments(input) })),
  ]
  return ifAny(content, { role: 'assistant', content })
}

const chatReply: Reply = ({ texts, reasoning = [], calls }) => {
  const content = texts.filter(isWritten).join('\n')
  const thought = Object.fromEntries(reasoning.flatMap(({ text, key }) => (key === undefined ? [] : [[key, text]])))
  if (calls.length === 0) return content === '' ? [] : [{ role: 'assistant', content, ...thought }]
  return [{ role: 'assistant', content: content === '' ? null : content, ...thought, tool_calls: calls.map(chatCall) }]
}

const geminiReply: Reply = ({ texts, calls }) => {
  const parts = [
    ...texts.filter(isWritten).map((text) => ({ text })),
    ...calls.map(({ id, name, arguments: args }) => ({ functionCall: { id, name, args: parsedArguments(args) } })),
  ]
  return ifAny(parts, { role: 'model', parts })
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

const DIALECTS: Readonly<Record<WriterDialect, readonly [Dialect, Reply]>> = {
  'anthropic-messages': [anthropicMessages, anthropicReply],
  'openai-chat': [openaiChat, chatReply],
  gemini: [geminiDialect, geminiReply],
}

export function writerFor(id: WriterDialect): HistoryWriter {
  const [dialect, reply] = DIALECTS[id]
  const user = (text: string) => dialect.textMessage('user', text)
  return {
    user,
    // The others have instructions beside the history.
    system: (content) => (id === 'openai-chat' ? { role: 'system', content } : user(content)),
    reply,
    results: (results) => dialect.wrapResults(results.map((result) => resultIn(dialect, result))),
  }
}

function resultIn(dialect: Dialect, { id, name, content, failed = false }: WrittenResult): unknown {
  return dialect.answer(new Part('call', '', 0, [], -1, undefined, undefined, id, name), asText(content), !failed)
}
