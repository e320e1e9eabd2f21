/** LangChain's trimming and context editing, and deepagents' repair of tool calls. */
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  RemoveMessage,
  ToolMessage,
  trimMessages,
} from '@langchain/core/messages'
import { createPatchToolCallsMiddleware } from 'deepagents'
import { ClearToolUsesEdit } from 'langchain'
import type { Peer } from '../peer.ts'
import { argsOf, assistant, call, callsOf, namesOf, type Plain, textOf } from '../plain.ts'
import { versionOf } from './versions.ts'

export function toLangChain(history: readonly Plain[]): BaseMessage[] {
  const names = namesOf(history)
  return history.map((message, i) => {
    const id = `m${i}`
    if (message.role === 'user') return new HumanMessage({ id, content: message.content })
    if (message.role === 'tool') {
      const { tool_call_id, content } = message
      return new ToolMessage({ id, content, tool_call_id, name: names.get(tool_call_id) ?? 'unknown_tool' })
    }
    const calls = callsOf(message).map((one) => ({
      type: 'tool_call' as const,
      id: one.id,
      name: one.function.name,
      args: argsOf(one),
    }))
    return new AIMessage({ id, content: message.content ?? '', tool_calls: calls })
  })
}

export function fromLangChain(messages: readonly BaseMessage[]): Plain[] {
  return messages.map((message): Plain => {
    const text = textOf(message.content)
    if (ToolMessage.isInstance(message)) return { role: 'tool', tool_call_id: message.tool_call_id, content: text }
    if (!AIMessage.isInstance(message)) return { role: 'user', content: text }
    return assistant(
      text,
      (message.tool_calls ?? []).map((one) => call(one.id ?? '', one.name, one.args)),
    )
  })
}

export const trimOptions = {
  strategy: 'last',
  startOn: 'human',
  endOn: ['human', 'tool'],
  includeSystem: true,
} as const

/** Four characters a token, as LangChain counts without a model. */
export function countTokens(messages: readonly BaseMessage[]): number {
  return Math.ceil(JSON.stringify(fromLangChain(messages)).length / 4)
}

export const peers: readonly Peer[] = [
  {
    name: 'LangChain trimMessages',
    version: versionOf('@langchain/core'),
    usage:
      "trimMessages(messages, { strategy: 'last', startOn: 'human', endOn: ['human', 'tool'], includeSystem: true })",
    async run(history) {
      const options = { ...trimOptions, maxTokens: 1e9, tokenCounter: countTokens } as never
      return fromLangChain(await trimMessages(toLangChain(history), options))
    },
  },
  {
    name: 'LangChain ClearToolUsesEdit',
    version: versionOf('langchain'),
    usage: 'contextEditingMiddleware with ClearToolUsesEdit({ trigger: { tokens: 100000 }, keep: { messages: 3 } })',
    async run(history) {
      const messages = toLangChain(history)
      const edit = new ClearToolUsesEdit({ trigger: { tokens: 100_000 }, keep: { messages: 3 } })
      await edit.apply({ messages, countTokens: async (list: BaseMessage[]) => countTokens(list) } as never)
      return fromLangChain(messages)
    },
  },
  {
    name: 'deepagents patch middleware',
    version: versionOf('deepagents'),
    usage: 'createPatchToolCallsMiddleware(), its beforeAgent',
    async run(history) {
      const messages = toLangChain(history)
      const { beforeAgent } = createPatchToolCallsMiddleware() as unknown as {
        beforeAgent: Hook | { readonly hook: Hook }
      }
      const hook = typeof beforeAgent === 'function' ? beforeAgent : beforeAgent.hook
      const done = await hook({ messages }, {})
      return fromLangChain((done?.messages ?? messages).filter((one) => !(one instanceof RemoveMessage)))
    },
  },
]

type Hook = (state: object, runtime: object) => Promise<{ readonly messages?: BaseMessage[] } | undefined>
