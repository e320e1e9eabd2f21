/**
 * Broken threads of LangChain agents, with the real framework against the contract: failing without the middleware,
 * repaired and stored once with it.
 */
import { ChatAnthropic } from '@langchain/anthropic'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { Command, MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { type AgentMiddleware, createAgent, humanInTheLoopMiddleware, tool } from 'langchain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type RunningContract, startContract } from '../../contract/index.ts'
import { isSynthetic } from '../../src/index.ts'
import { repairMiddleware, repairThread } from '../../src/integrations/langchain.ts'

let contract: RunningContract
beforeAll(async () => {
  contract = await startContract()
})
afterAll(() => contract.close())

const ran: string[] = []
const weather = tool(
  ({ city }) => {
    ran.push(city)
    return `Sunny in ${city}.`
  },
  { name: 'weather', description: 'The weather', schema: z.object({ city: z.string() }) },
)

const quick = { apiKey: 'none', maxRetries: 0 }
const openai = () =>
  new ChatOpenAI({ ...quick, model: 'gpt-4.1', configuration: { baseURL: `${contract.url}/openai/v1` } })
const anthropic = () =>
  new ChatAnthropic({ ...quick, model: 'claude-sonnet-4-5', anthropicApiUrl: `${contract.url}/anthropic` })

function agentOf(model: BaseChatModel, middleware: readonly AgentMiddleware[]) {
  return createAgent({ model, tools: [weather], checkpointer: new MemorySaver(), middleware })
}
const agentWith = (...middleware: AgentMiddleware[]) => agentOf(openai(), middleware)

let threads = 0
const thread = () => ({ configurable: { thread_id: `t${++threads}` } })
const calling = (...ids: string[]) =>
  new AIMessage({ content: '', tool_calls: ids.map((id) => ({ id, name: 'weather', args: { city: 'Oslo' } })) })
const result = (id: string, content = 'Sunny.') => new ToolMessage({ content, tool_call_id: id, name: 'weather' })
const prompt = { messages: [new HumanMessage('Are you still there?')] }

async function messagesOf(agent: ReturnType<typeof agentWith>, config: ReturnType<typeof thread>) {
  const { values } = await agent.graph.getState(config)
  return (values as { messages: BaseMessage[] }).messages
}

const POISONED: Record<string, () => BaseMessage[]> = {
  'a call without a result': () => [new HumanMessage('weather?'), calling('c1')],
  'one dropped result of two': () => [new HumanMessage('weather?'), calling('c1', 'c2'), result('c1')],
  'a result that came after the next prompt': () => [
    new HumanMessage('weather?'),
    calling('c1'),
    new HumanMessage('hello?'),
    result('c1', 'Rain, really.'),
  ],
  'a result without its call': () => [new HumanMessage('weather?'), new AIMessage('ok'), result('gone')],
}

/** Calls that only Anthropic's own blocks have: `tool_calls` was cleared by other middleware. */
const blockOnly = () =>
  new AIMessage({ content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } }] })
const malformed = () =>
  new AIMessage({ content: '', invalid_tool_calls: [{ id: 'c1', name: 'weather', args: '{"city', error: 'json' }] })

/** As after a stream of Anthropic: the block is in the content, its arguments are not JSON. */
const malformedBlock = () =>
  new AIMessage({
    content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: '{"city' }],
    invalid_tool_calls: [{ id: 'toolu_1', name: 'weather', args: '{"city', error: 'json' }],
  })

it.each([
  ['is only in the content', blockOnly],
  ['is malformed and in the content', malformedBlock],
])('answers a call that %s, and stores that once', async (_name, broken) => {
  const config = thread()
  const plain = agentOf(anthropic(), [])
  await plain.graph.updateState(config, { messages: [new HumanMessage('weather?'), broken()] })
  for (const _turn of [1, 2]) await expect(plain.invoke(prompt, config)).rejects.toThrow(/tool_result|tool_use/)

  const repairs: unknown[] = []
  const agent = agentOf(anthropic(), [repairMiddleware({ onRepair: (one) => repairs.push(one) })])
  const mine = thread()
  await agent.graph.updateState(mine, { messages: [new HumanMessage('weather?'), broken()] })
  contract.script({ text: 'Yes.' }, { text: 'Still.' })
  expect((await agent.invoke(prompt, mine)).messages.at(-1)?.text).toBe('Yes.')
  expect((await agent.invoke(prompt, mine)).messages.at(-1)?.text).toBe('Still.')
  expect(repairs).toHaveLength(1)
})

it.each(['openai', 'anthropic'])('sends a thread with a malformed call that is stored apart: %s', async (name) => {
  const agent = agentOf(name === 'openai' ? openai() : anthropic(), [repairMiddleware()])
  const config = thread()
  await agent.graph.updateState(config, { messages: [new HumanMessage('weather?'), malformed()] })
  contract.script({ text: 'Yes.' })
  expect((await agent.invoke(prompt, config)).messages.at(-1)?.text).toBe('Yes.')
})

describe.each(Object.entries(POISONED))('a thread with %s', (_name, poisoned) => {
  it('fails on every turn without the middleware, and continues with it', async () => {
    const config = thread()
    const plain = agentWith()
    await plain.graph.updateState(config, { messages: poisoned() })
    for (const _turn of [1, 2]) await expect(plain.invoke(prompt, config)).rejects.toThrow()

    const repairs: number[] = []
    const agent = agentWith(repairMiddleware({ onRepair: ({ patch }) => repairs.push(patch.length) }))
    const mine = thread()
    await agent.graph.updateState(mine, { messages: poisoned() })
    contract.script({ text: 'Yes.' }, { text: 'Still.' })
    expect((await agent.invoke(prompt, mine)).messages.at(-1)?.text).toBe('Yes.')
    expect(repairs).toHaveLength(1)

    const stored = (await messagesOf(agent, mine)).map((one) => one.id)
    await agent.invoke(prompt, mine)
    expect(repairs).toHaveLength(1)
    expect((await messagesOf(agent, mine)).map((one) => one.id).slice(0, stored.length)).toEqual(stored)
  })
})

it('keeps a late result, and calls an unknown outcome unknown', async () => {
  const agent = agentWith(repairMiddleware())
  const config = thread()
  await agent.graph.updateState(config, {
    messages: [new HumanMessage('both'), calling('c1', 'c2'), new HumanMessage('hm'), result('c2', 'Rain, really.')],
  })
  contract.script({ text: 'Yes.' })
  await agent.invoke(prompt, config)
  const results = (await messagesOf(agent, config)).filter((one) => ToolMessage.isInstance(one))
  expect(results.map((one) => [one.tool_call_id, one.status ?? 'success'])).toEqual([
    ['c1', 'error'],
    ['c2', 'success'],
  ])
  expect(isSynthetic(String(results[0]?.content))).toBe(true)
  expect(results[1]?.content).toBe('Rain, really.')
})

it('changes nothing in a valid thread', async () => {
  const repairs: unknown[] = []
  const agent = agentWith(repairMiddleware({ onRepair: (one) => repairs.push(one) }))
  const config = thread()
  contract.script({ calls: [{ name: 'weather', arguments: { city: 'Bergen' } }] }, { text: 'Sunny.' })
  const { messages } = await agent.invoke({ messages: [new HumanMessage('Bergen?')] }, config)
  expect(messages.map((one) => one.getType())).toEqual(['human', 'ai', 'tool', 'ai'])
  expect(ran).toContain('Bergen')
  expect(repairs).toEqual([])
})

describe('a call that waits for an approval', () => {
  it('is untouched, and runs when it is approved', async () => {
    const approval = humanInTheLoopMiddleware({ interruptOn: { weather: true } } as never)
    const agent = agentWith(repairMiddleware(), approval)
    const config = thread()
    contract.script({ calls: [{ id: 'wait_1', name: 'weather', arguments: { city: 'Tromso' } }] }, { text: 'Cold.' })
    await agent.invoke({ messages: [new HumanMessage('Tromso?')] }, config)
    const waiting = await messagesOf(agent, config)
    expect(waiting.at(-1)).toMatchObject({ tool_calls: [{ id: 'wait_1' }] })

    expect(await repairThread(agent.graph, config)).toBe('waiting')
    expect(await messagesOf(agent, config)).toEqual(waiting)

    const resumed = await agent.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), config)
    expect(ran).toContain('Tromso')
    const texts = resumed.messages.map((one: BaseMessage) => one.text)
    expect(texts).toEqual(['Tromso?', '', 'Sunny in Tromso.', 'Cold.'])
  })
})

describe('repairThread', () => {
  it('repairs a poisoned checkpoint once', async () => {
    const agent = agentWith()
    const config = thread()
    await agent.graph.updateState(config, {
      messages: [...POISONED['one dropped result of two']!(), new AIMessage('')],
    })
    await expect(agent.invoke(prompt, config)).rejects.toThrow()
    // The failed turn has left the model as the next step.
    expect(await repairThread(agent.graph, config)).toBe('waiting')
    expect(await repairThread(agent.graph, config, { abandon: true })).toBe('repaired')
    expect(await repairThread(agent.graph, config, { abandon: true })).toBe('valid')
    contract.script({ text: 'Back.' })
    expect((await agent.invoke(prompt, config)).messages.at(-1)?.text).toBe('Back.')
  })
})
