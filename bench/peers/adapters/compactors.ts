/** Peers that shorten a history, each as its documentation recommends. */
import { type AIMessage, type BaseMessage, RemoveMessage, trimMessages } from '@langchain/core/messages'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { Message, SlidingWindowConversationManager } from '@strands-agents/sdk'
import { summarizationMiddleware } from 'langchain'
import { type Compactor, tokensOf } from '../compaction.ts'
import type { Plain } from '../plain.ts'
import { bedrock } from '../wires.ts'
import { fromLangChain, toLangChain, trimOptions } from './langchain.ts'
import { versionOf } from './versions.ts'

type Hook = (state: object, runtime: object) => Promise<{ readonly messages?: BaseMessage[] } | undefined>

function counted(messages: readonly BaseMessage[]): number {
  return tokensOf(fromLangChain(messages))
}

async function summarized(history: readonly Plain[], tokens: number, model: object): Promise<readonly Plain[]> {
  const middleware = summarizationMiddleware({
    model,
    trigger: { tokens },
    keep: { tokens: Math.ceil(tokens / 2) },
    tokenCounter: counted,
  } as never) as unknown as { readonly beforeModel: Hook | { readonly hook: Hook } }
  const { beforeModel } = middleware
  const messages = toLangChain(history)
  const done = await (typeof beforeModel === 'function' ? beforeModel : beforeModel.hook)({ messages }, { context: {} })
  return fromLangChain((done?.messages ?? messages).filter((one) => !(one instanceof RemoveMessage)))
}

/** A model whose every request fails. */
class Failing extends FakeListChatModel {
  override async _generate(): Promise<never> {
    throw new Error('429 Too many requests')
  }

  override async _call(): Promise<never> {
    throw new Error('429 Too many requests')
  }

  override async invoke(): Promise<AIMessage> {
    throw new Error('429 Too many requests')
  }
}

export const peers: readonly Compactor[] = [
  {
    name: 'LangChain trimMessages',
    version: versionOf('@langchain/core'),
    usage: "strategy: 'last', startOn: 'human', endOn: ['human', 'tool'], includeSystem: true",
    async compact(history, tokens) {
      const options = { ...trimOptions, maxTokens: tokens, tokenCounter: counted } as never
      return { plain: fromLangChain(await trimMessages(toLangChain(history), options)) }
    },
  },
  {
    name: 'LangChain summarization middleware',
    version: versionOf('langchain'),
    usage: 'summarizationMiddleware({ model, trigger: { tokens }, keep: { tokens: half } })',
    async compact(history, tokens) {
      const model = new FakeListChatModel({
        responses: ['The user asked for changes in several files; they are done.'],
      })
      return { plain: await summarized(history, tokens, model) }
    },
    failing: (history, tokens) => summarized(history, tokens, new Failing({ responses: [''] })),
  },
  {
    name: 'Strands sliding window',
    version: versionOf('@strands-agents/sdk'),
    usage: 'windowSize in messages, in proportion to the budget: it knows no tokens',
    async compact(history, tokens) {
      const messages = bedrock.to(history).map((one) => Message.fromMessageData(one as never))
      const windowSize = Math.max(2, Math.floor((messages.length * tokens) / tokensOf(history)))
      const manager = new SlidingWindowConversationManager({ windowSize }) as unknown as {
        _applyManagement(messages: unknown[]): void
      }
      manager._applyManagement(messages)
      return { plain: bedrock.from(messages.map((one) => JSON.parse(JSON.stringify(one)) as unknown)) }
    },
  },
]
