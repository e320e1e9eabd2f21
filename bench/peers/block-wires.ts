/**
 * Plain histories for the providers that put results into a user message: Anthropic, Bedrock Converse, Gemini.
 */
import { argsOf, assistant, call, callsOf, namesOf, type Plain, type PlainCall } from './plain.ts'
import type { Wire } from './wires.ts'

type Native = Readonly<Record<string, unknown>>

/** How one provider writes a text, a call and a result, and how they are read. */
interface Blocks {
  readonly roles: readonly [user: string, assistant: string]
  readonly list: string
  text(text: string): unknown
  call(call: PlainCall): unknown
  result(id: string, name: string, text: string): unknown
  read(block: Native): string | PlainCall | { readonly id: string; readonly text: string } | undefined
}

const anthropicBlocks: Blocks = {
  roles: ['user', 'assistant'],
  list: 'content',
  text: (text) => ({ type: 'text', text }),
  call: (one) => ({ type: 'tool_use', id: one.id, name: one.function.name, input: argsOf(one) }),
  result: (id, _name, text) => ({ type: 'tool_result', tool_use_id: id, content: text }),
  read({ type, text, id, name, input, tool_use_id: of, content }) {
    if (type === 'text') return String(text)
    if (type === 'tool_use') return call(String(id), String(name), input)
    return type === 'tool_result' ? { id: String(of), text: textIn(content) } : undefined
  },
}

const converseBlocks: Blocks = {
  roles: ['user', 'assistant'],
  list: 'content',
  text: (text) => ({ text }),
  call: (one) => ({ toolUse: { toolUseId: one.id, name: one.function.name, input: argsOf(one) } }),
  result: (id, _name, text) => ({ toolResult: { toolUseId: id, content: [{ text }] } }),
  read({ text, toolUse, toolResult }) {
    if (typeof text === 'string') return text
    const used = toolUse as Native | undefined
    if (used) return call(String(used['toolUseId']), String(used['name']), used['input'])
    const given = toolResult as Native | undefined
    return given && { id: String(given['toolUseId']), text: textIn(given['content']) }
  },
}

const geminiBlocks: Blocks = {
  roles: ['user', 'model'],
  list: 'parts',
  text: (text) => ({ text }),
  call: (one) => ({ functionCall: { id: one.id, name: one.function.name, args: argsOf(one) } }),
  result: (id, name, text) => ({ functionResponse: { id, name, response: { output: text } } }),
  read({ text, functionCall, functionResponse }) {
    if (typeof text === 'string') return text
    const used = functionCall as Native | undefined
    if (used) return call(String(used['id'] ?? ''), String(used['name']), used['args'])
    const given = functionResponse as Native | undefined
    return given && { id: String(given['id'] ?? ''), text: textIn(given['response']) }
  },
}

/** The text of a result, in whichever of its forms. */
function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map((part: Native) => textIn(part['text'] ?? part['json'])).join('\n')
  const { output, result, error } = (content ?? {}) as Native
  const inner = output ?? result ?? error
  return typeof inner === 'string' ? inner : content === undefined || content === null ? '' : JSON.stringify(content)
}

export const anthropic: Wire = {
  dialect: 'anthropic-messages',
  key: 'messages',
  to: (history, isMerged) => grouped(history, anthropicBlocks, isMerged),
  from: (messages) => ungrouped(messages, anthropicBlocks),
  tools: (names) => ({ tools: names.map((name) => ({ name, input_schema: { type: 'object' } })), max_tokens: 1000 }),
}

export const bedrock: Wire = {
  dialect: 'bedrock-converse',
  key: 'messages',
  to: (history, isMerged) => grouped(history, converseBlocks, isMerged),
  from: (messages) => ungrouped(messages, converseBlocks),
  tools: (names) => ({
    toolConfig: { tools: names.map((name) => ({ toolSpec: { name, inputSchema: { json: { type: 'object' } } } })) },
  }),
}

export const gemini: Wire = {
  dialect: 'gemini',
  key: 'contents',
  to: (history, isMerged) => grouped(history, geminiBlocks, isMerged),
  from: (messages) => ungrouped(messages, geminiBlocks),
  tools: (names) => ({ tools: [{ functionDeclarations: names.map((name) => ({ name })) }] }),
}

/** Consecutive results become one message, as clients write them; `isMerged`: all neighbors of one role do. */
function grouped(history: readonly Plain[], blocks: Blocks, isMerged = false): unknown[] {
  const names = namesOf(history)
  const list: { readonly role: string; readonly blocks: unknown[]; readonly isResults: boolean }[] = []
  for (const message of history) {
    const own = written(message, names, blocks)
    const last = list.at(-1)
    const role = blocks.roles[message.role === 'assistant' ? 1 : 0]
    if (last && ((message.role === 'tool' && last.isResults) || (isMerged && last.role === role)))
      last.blocks.push(...own)
    else {
      list.push({ role, blocks: own, isResults: message.role === 'tool' })
    }
  }
  return list.map(({ role, blocks: own }) => ({ role, [blocks.list]: own }))
}

function written(message: Plain, names: ReadonlyMap<string, string>, blocks: Blocks): unknown[] {
  if (message.role === 'user') return [blocks.text(message.content)]
  if (message.role === 'tool') {
    const { tool_call_id: id, content } = message
    return [blocks.result(id, names.get(id) ?? 'unknown_tool', content)]
  }
  const text = message.content === null ? [] : [blocks.text(message.content)]
  return [...text, ...callsOf(message).map((one) => blocks.call(one))]
}

function ungrouped(messages: readonly unknown[], blocks: Blocks): Plain[] {
  return (messages as readonly Native[]).flatMap((message): Plain[] => {
    const content = message[blocks.list]
    const parts = typeof content === 'string' ? [content] : ((content ?? []) as Native[]).map(blocks.read)
    if (message['role'] === blocks.roles[1]) {
      const texts = parts.filter((part) => typeof part === 'string')
      return [
        assistant(
          texts.join('\n'),
          parts.filter((part) => typeof part === 'object' && 'function' in part),
        ),
      ]
    }
    return parts.flatMap((part): Plain[] => {
      if (typeof part === 'string') return [{ role: 'user', content: part }]
      return part && 'text' in part ? [{ role: 'tool', tool_call_id: part.id, content: part.text }] : []
    })
  })
}
