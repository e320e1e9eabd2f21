/**
 * Converts plain histories to the format of each provider and back, message by message, faults included. Shares no code
 * with `src/`.
 */
import { anthropic, bedrock, gemini } from './block-wires.ts'
import { assistant, call, callsOf, namesOf, type Plain, plainOf, textOf } from './plain.ts'

export interface Wire {
  readonly dialect: string
  /** The key of the list in a request. */
  readonly key: string
  /** With `isMerged`, neighbors of one role become one message where the provider keeps results in user messages. */
  to(history: readonly Plain[], isMerged?: boolean): unknown[]
  from(messages: readonly unknown[]): Plain[]
  /** Declarations of the tools that the history names. */
  tools(names: readonly string[]): Readonly<Record<string, unknown>>
}

type Native = Readonly<Record<string, unknown>>

export const chat: Wire = {
  dialect: 'openai-chat',
  key: 'messages',
  to: (history) => [...history],
  from: plainOf,
  tools: (names) => ({
    tools: names.map((name) => ({ type: 'function', function: { name, parameters: { type: 'object' } } })),
  }),
}

export const responses: Wire = {
  dialect: 'openai-responses',
  key: 'input',
  to: (history) => history.flatMap(itemsOf),
  from: plainItems,
  tools: (names) => ({ tools: names.map((name) => ({ type: 'function', name, parameters: { type: 'object' } })) }),
}

function itemsOf(message: Plain): unknown[] {
  if (message.role === 'user') return [{ role: 'user', content: message.content }]
  if (message.role === 'tool')
    return [{ type: 'function_call_output', call_id: message.tool_call_id, output: message.content }]
  const answer = message.content === null ? [] : [{ role: 'assistant', content: message.content }]
  const calls = callsOf(message).map(({ id, function: { name, arguments: text } }) => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: text,
  }))
  return [...answer, ...calls]
}

/** Calls that follow each other, and the text right before them, are one message. */
function plainItems(items: readonly unknown[]): Plain[] {
  const list: Plain[] = []
  for (const item of items as readonly Native[]) {
    const last = list.at(-1)
    if (item['type'] === 'function_call') {
      const made = call(String(item['call_id']), String(item['name']), JSON.parse(String(item['arguments'])))
      if (last?.role === 'assistant') list[list.length - 1] = assistant(last.content, [...callsOf(last), made])
      else list.push(assistant(null, [made]))
    } else if (item['type'] === 'function_call_output')
      list.push({ role: 'tool', tool_call_id: String(item['call_id']), content: outputOf(item['output']) })
    else if (item['role'] === 'assistant') list.push({ role: 'assistant', content: textOf(item['content']) })
    else if (item['role'] === 'user') list.push({ role: 'user', content: textOf(item['content']) })
  }
  return list
}

function outputOf(output: unknown): string {
  return typeof output === 'string' ? output : textOf(output) || JSON.stringify(output)
}

export interface Target {
  readonly provider: string
  readonly model: string
  readonly endpoint: 'messages' | 'chat' | 'responses' | 'gemini' | 'converse'
  readonly wire: Wire
}

/** A current model of each provider; for Gemini 2.5, since Gemini 3 needs signatures, which plain histories lack. */
export const targets: readonly Target[] = [
  { provider: 'anthropic', model: 'claude-sonnet-4-6', endpoint: 'messages', wire: anthropic },
  { provider: 'openai', model: 'gpt-5', endpoint: 'chat', wire: chat },
  { provider: 'openai-responses', model: 'gpt-5.4', endpoint: 'responses', wire: responses },
  { provider: 'gemini', model: 'gemini-2.5-flash', endpoint: 'gemini', wire: gemini },
  { provider: 'bedrock', model: 'us.anthropic.claude-sonnet-4-6-v1:0', endpoint: 'converse', wire: bedrock },
  { provider: 'mistral', model: 'mistral-large-latest', endpoint: 'chat', wire: chat },
  { provider: 'deepseek', model: 'deepseek-chat', endpoint: 'chat', wire: chat },
]

/** The request that a client would send for these messages. */
export function requestOf(messages: readonly unknown[], history: readonly Plain[], { wire, model }: Target) {
  const names = [...new Set(namesOf(history).values())].filter((name) => /^[\w-]{1,64}$/.test(name))
  const declared = names.length > 0 || wire === bedrock ? wire.tools(names.length > 0 ? names : ['none']) : {}
  return { model, [wire.key]: messages, ...declared }
}

export { anthropic, bedrock, gemini }
