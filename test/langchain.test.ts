/**
 * LangChain: what repair and split add to a history of instances are instances. Plain, stored and serialized histories
 * stay as they are.
 */
import { ChatAnthropic } from '@langchain/anthropic'
import {
  AIMessage,
  AIMessageChunk,
  BaseMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { ChatGoogleGenerativeAI } from '@langchain/google-genai'
import { ChatOpenAI } from '@langchain/openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningContract, startContract } from '../contract/index.ts'
import { compact } from '../src/compact.ts'
import { repair, split } from '../src/index.ts'

const to = { provider: 'langchain' } as const
const calling = (id: string) =>
  new AIMessage({ content: '', tool_calls: [{ id, name: 'weather', args: { city: 'Oslo' } }] })
const open = (): BaseMessage[] => [new HumanMessage('weather?'), calling('call_1'), new HumanMessage('well?')]

const typesOf = (messages: readonly BaseMessage[]) => messages.map((message) => message.getType())

describe('an instance is added', () => {
  it('of the class that the history has', () => {
    const { value: history } = repair(
      [...open(), calling('call_2'), new ToolMessage({ content: 'ok', tool_call_id: 'call_2' })],
      to,
    )
    expect(typesOf(history)).toEqual(['human', 'ai', 'tool', 'human', 'ai', 'tool'])
    expect(history[2]).toBeInstanceOf(ToolMessage)
    expect(history[2]).toMatchObject({ tool_call_id: 'call_1', status: 'error' })
  })

  it('of the base class of those that it has', () => {
    const { value: history } = repair(open(), to)
    expect(typesOf(history)).toEqual(['human', 'ai', 'tool', 'human'])
    expect(history[2]).toBeInstanceOf(BaseMessage)
    expect(ToolMessage.isInstance(history[2])).toBe(true)
    expect(JSON.parse(JSON.stringify(history[2]))).toMatchObject({
      lc: 1,
      id: ['langchain_core', 'messages', 'ToolMessage'],
    })
  })

  it('among pieces of a stream', () => {
    const chunk = new AIMessageChunk({ content: '', tool_calls: [{ id: 'call_1', name: 'f', args: {} }] })
    const { value: history } = repair([new HumanMessage('go'), chunk, new HumanMessage('and?')], to)
    expect(typesOf(history)).toEqual(['human', 'ai', 'tool', 'human'])
  })

  it('if a class of the caller has other constructor arguments', () => {
    class Mine extends ToolMessage {
      constructor(id: string, text: string) {
        super({ content: text.trim(), tool_call_id: id })
      }
    }
    const { value: history } = repair([...open(), calling('call_2'), new Mine('call_2', 'x')], to)
    expect(typesOf(history)).toEqual(['human', 'ai', 'tool', 'human', 'ai', 'tool'])
    expect(history[2]).toMatchObject({ tool_call_id: 'call_1' })
  })

  it('as a note, as a rebuilt call, as what a cut needs and as the note of a compaction', async () => {
    const orphan = [
      new HumanMessage('go'),
      new AIMessage('ok'),
      new ToolMessage({ content: 'late', tool_call_id: 'z' }),
    ]
    const added: BaseMessage[] = []
    for (const how of ['note', 'rebuild'] as const) {
      const { value: history, patch } = repair<BaseMessage[]>(orphan, { ...to, strict: true, policy: { orphan: how } })
      expect(patch.length).toBeGreaterThan(0)
      added.push(...history)
    }
    const long = Array.from({ length: 8 }, (_, n) => [
      calling(`c${n}`),
      new ToolMessage({ content: 'x'.repeat(400), tool_call_id: `c${n}` }),
    ])
    const talk: BaseMessage[] = [new SystemMessage('be brief'), new HumanMessage('go'), ...long.flat()]
    added.push(...(split(talk, { minKeep: 2, maxKeep: 4, dialect: 'langchain' }).preamble as BaseMessage[]))
    const compacted = await compact(talk, { ...to, budget: { limit: 500 }, force: true })
    added.push(...(compacted.history as BaseMessage[]))
    expect(compacted.history).not.toBe(talk)
    for (const message of added) expect(message).toBeInstanceOf(BaseMessage)
  })
})

describe('a client of LangChain takes it', () => {
  let contract: RunningContract
  beforeAll(async () => {
    contract = await startContract()
  })
  afterAll(() => contract.close())

  const options = { apiKey: 'none', maxRetries: 0 }
  const clients = {
    OpenAI: () =>
      new ChatOpenAI({ ...options, model: 'gpt-4.1', configuration: { baseURL: `${contract.url}/openai/v1` } }),
    Anthropic: () =>
      new ChatAnthropic({ ...options, model: 'claude-sonnet-4-5', anthropicApiUrl: `${contract.url}/anthropic` }),
    Google: () =>
      new ChatGoogleGenerativeAI({ ...options, model: 'gemini-2.5-flash', baseUrl: `${contract.url}/gemini` }),
  }
  for (const [name, client] of Object.entries(clients)) {
    it(name, async () => {
      await expect(client().invoke(open())).rejects.toThrow()
      expect((await client().invoke(repair(open(), to).value)).getType()).toBe('ai')
    })
  }
})

describe('dumps stay plain', () => {
  const plain = [
    { role: 'user', content: 'weather?' },
    { role: 'assistant', content: '', tool_calls: [{ id: 'call_1', name: 'weather', args: {}, type: 'tool_call' }] },
    { role: 'user', content: 'well?' },
  ]
  const forms: Readonly<Record<string, readonly unknown[]>> = {
    plain,
    stored: mapChatMessagesToStoredMessages(open()),
    serialized: JSON.parse(JSON.stringify(open())),
  }
  for (const [name, history] of Object.entries(forms)) {
    it(name, () => {
      const repaired = repair(history, to).value
      expect(repaired).toHaveLength(4)
      for (const message of repaired) expect(Object.getPrototypeOf(message)).toBe(Object.prototype)
    })
  }
})
