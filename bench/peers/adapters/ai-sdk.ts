/**
 * The AI SDK: pruning, its check before a request, and the conversion of UI messages. Mastra's message list takes the
 * same messages.
 */
import { MessageList } from '@mastra/core/agent'
import { convertToModelMessages, generateText, type ModelMessage, pruneMessages } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import type { Peer } from '../peer.ts'
import { argsOf, assistant, call, callsOf, namesOf, type Plain } from '../plain.ts'
import { versionOf } from './versions.ts'

type Native = Readonly<Record<string, unknown>>

/** Results that follow each other are one message, as the AI SDK writes them. */
export function toModel(history: readonly Plain[]): ModelMessage[] {
  const names = namesOf(history)
  const list: ModelMessage[] = []
  for (const message of history) {
    const last = list.at(-1)
    if (message.role === 'user') list.push({ role: 'user', content: message.content })
    else if (message.role === 'assistant') list.push({ role: 'assistant', content: partsOf(message) as never })
    else {
      const part = resultOf(message, names)
      if (last?.role === 'tool') (last.content as unknown[]).push(part)
      else list.push({ role: 'tool', content: [part] as never })
    }
  }
  return list
}

function resultOf({ tool_call_id: id, content }: Extract<Plain, { role: 'tool' }>, names: ReadonlyMap<string, string>) {
  const output = { type: 'text', value: content }
  return { type: 'tool-result', toolCallId: id, toolName: names.get(id) ?? 'unknown_tool', output }
}

function partsOf(message: Extract<Plain, { role: 'assistant' }>): unknown[] {
  const text = message.content === null ? [] : [{ type: 'text', text: message.content }]
  const calls = callsOf(message).map((one) => ({
    type: 'tool-call',
    toolCallId: one.id,
    toolName: one.function.name,
    input: argsOf(one),
  }))
  return [...text, ...calls]
}

export function fromModel(messages: readonly unknown[]): Plain[] {
  return (messages as readonly Native[]).flatMap((message): Plain[] => {
    const { role, content } = message
    const parts: readonly Native[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : (content as readonly Native[])
    const text = parts.flatMap((part) => (part['type'] === 'text' ? [String(part['text'])] : [])).join('\n')
    if (role === 'user') return [{ role, content: text }]
    const calls = parts.filter(({ type }) => type === 'tool-call').map(callOf)
    const results = parts.filter(({ type }) => type === 'tool-result').map(plainResult)
    return role === 'assistant' ? [assistant(text, calls), ...results] : results
  })
}

function callOf(part: Native) {
  return call(String(part['toolCallId']), String(part['toolName']), part['input'])
}

function plainResult(part: Native): Plain {
  const { value } = part['output'] as Native
  const content = typeof value === 'string' ? value : JSON.stringify(value)
  return { role: 'tool', tool_call_id: String(part['toolCallId']), content }
}

const finishReason = { unified: 'stop', raw: 'stop' }
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }

/** What reaches the model; the SDK throws for calls without results. */
async function prompted(messages: ModelMessage[]): Promise<readonly unknown[]> {
  let prompt: readonly unknown[] = []
  const doGenerate = async (options: { readonly prompt: readonly unknown[] }) => {
    prompt = options.prompt
    return { content: [{ type: 'text', text: 'ok' }], finishReason, usage, warnings: [] }
  }
  await generateText({ model: new MockLanguageModelV4({ doGenerate: doGenerate as never }), messages, maxRetries: 0 })
  return prompt
}

/** A call and its result are one part there: histories in which they are apart cannot be written in it. */
function toUi(history: readonly Plain[]): unknown[] {
  return history.flatMap((message, i): unknown[] => {
    if (message.role === 'tool') return []
    const role = message.role
    const text = message.content === null ? [] : [{ type: 'text', text: message.content }]
    const results = followers(history, i)
    const calls = callsOf(message).map((one) => {
      const base = { type: `tool-${one.function.name}`, toolCallId: one.id, input: argsOf(one) }
      const found = results.get(one.id)
      return found === undefined
        ? { ...base, state: 'input-available' }
        : { ...base, state: 'output-available', output: found }
    })
    return [{ id: `m${i}`, role, parts: [...text, ...calls] }]
  })
}

function followers(history: readonly Plain[], at: number): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (let i = at + 1; history[i]?.role === 'tool'; i++) {
    const { tool_call_id: id, content } = history[i] as Extract<Plain, { role: 'tool' }>
    found.set(id, content)
  }
  return found
}

function isUi(history: readonly Plain[]): boolean {
  const placed = history.flatMap((message, i) => {
    const results = followers(history, i)
    return callsOf(message).filter(({ id }) => results.has(id))
  })
  const results = history.filter(({ role }) => role === 'tool')
  const ids = history.flatMap(callsOf).map(({ id }) => id)
  return placed.length === results.length && new Set(ids).size === ids.length
}

export const peers: readonly Peer[] = [
  {
    name: 'AI SDK generateText',
    version: versionOf('ai'),
    usage: 'generateText({ model, messages }): what reaches the model. It checks and throws, it does not repair',
    run: async (history) => fromModel(await prompted(toModel(history))),
  },
  {
    name: 'AI SDK pruneMessages',
    version: versionOf('ai'),
    usage: "pruneMessages({ messages, toolCalls: 'before-last-2-messages', emptyMessages: 'remove' })",
    run: (history) =>
      fromModel(
        pruneMessages({ messages: toModel(history), toolCalls: 'before-last-2-messages', emptyMessages: 'remove' }),
      ),
  },
  {
    name: 'AI SDK convertToModelMessages',
    version: versionOf('ai'),
    usage: 'convertToModelMessages(uiMessages, { ignoreIncompleteToolCalls: true })',
    holds: isUi,
    run: async (history) =>
      fromModel(await convertToModelMessages(toUi(history) as never, { ignoreIncompleteToolCalls: true })),
  },
  {
    name: 'Mastra MessageList',
    version: versionOf('@mastra/core'),
    usage: "new MessageList().add(messages, 'memory').get.all.aiV5.prompt()",
    run(history) {
      const list = new MessageList({} as never)
      list.add(toModel(history) as never, 'memory')
      return fromModel(list.get.all.aiV5.prompt() as readonly unknown[])
    },
  },
]
