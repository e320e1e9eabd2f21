/**
 * Broken sessions of the OpenAI Agents SDK, with the real package against the contract.
 */
import { Agent, type AgentInputItem, MemorySession, OpenAIProvider, Runner, RunState, tool } from '@openai/agents'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type RunningContract, startContract } from '../../contract/index.ts'
import { durableSession, repairInput } from '../../src/integrations/openai-agents.ts'
import { memoryStore } from '../../src/session.ts'

let contract: RunningContract
let runner: Runner
beforeAll(async () => {
  contract = await startContract()
  runner = new Runner({
    modelProvider: new OpenAIProvider({ apiKey: 'none', baseURL: `${contract.url}/openai/v1`, useResponses: true }),
    tracingDisabled: true,
    model: 'gpt-4.1',
  })
})
afterAll(() => contract.close())

const ran: string[] = []
const weather = (needsApproval: boolean) =>
  tool({
    name: 'weather',
    description: 'The weather',
    parameters: z.object({ city: z.string() }),
    needsApproval,
    execute: async ({ city }) => {
      ran.push(city)
      return `Sunny in ${city}.`
    },
  })
const agent = new Agent({ name: 'A', instructions: 'Be brief.', tools: [weather(false)] })

const user = (text: string): AgentInputItem => ({ role: 'user', content: text })
const call = (callId: string): AgentInputItem => ({
  type: 'function_call',
  callId,
  name: 'weather',
  arguments: '{"city":"Oslo"}',
  status: 'completed',
})
const result = (callId: string, text: string): AgentInputItem => ({
  type: 'function_call_result',
  callId,
  name: 'weather',
  status: 'completed',
  output: { type: 'text', text },
})
const stray = () => [user('weather?'), result('gone', 'Rain, really.')]

describe('a stray output', () => {
  it('fails with the session of the SDK on every turn', async () => {
    const session = new MemorySession({ initialItems: stray() })
    for (const _turn of [1, 2]) await expect(runner.run(agent, 'hello?', { session })).rejects.toThrow(/400/)
  })

  it('passes with the input filter, and its content is kept', async () => {
    const session = new MemorySession({ initialItems: stray() })
    contract.script({ text: 'Yes.' })
    const { finalOutput } = await runner.run(agent, 'hello?', { session, callModelInputFilter: repairInput() })
    expect(finalOutput).toBe('Yes.')
    expect(JSON.stringify(contract.requests.at(-1)?.body)).toContain('Rain, really.')
  })

  it('passes with a durable session', async () => {
    const session = await durableSession(memoryStore(), 'chat-1')
    await session.addItems(stray())
    contract.script({ text: 'Yes.' })
    expect((await runner.run(agent, 'hello?', { session })).finalOutput).toBe('Yes.')
  })
})

describe('a durable session', () => {
  it('keeps the records from before a crash, and answers an open call as unknown', async () => {
    const store = memoryStore()
    await (await durableSession(store, 'chat')).addItems([user('both'), call('c1'), call('c2'), result('c1', 'Sunny.')])
    const later = await durableSession(store, 'chat')
    contract.script({ text: 'Yes.' })
    await runner.run(agent, 'hello?', { session: later })
    const sent = JSON.stringify(contract.requests.at(-1)?.body)
    expect(sent).toContain('Sunny.')
    expect(sent).toContain('c2')
    expect(sent).toMatch(/unknown/i)
    const items = await later.getItems()
    expect(await (await durableSession(store, 'chat')).getItems()).toEqual(items)
  })

  it('keeps two pairs that share an id', async () => {
    const items = [user('a'), call('x'), result('x', 'first'), user('b'), call('x'), result('x', 'second')]
    const session = await durableSession(memoryStore(), 'chat')
    await session.addItems(items)
    contract.script({ text: 'Yes.' })
    await runner.run(agent, 'hello?', { session })
    const sent = JSON.stringify(contract.requests.at(-1)?.body)
    expect(sent).toContain('first')
    expect(sent).toContain('second')
  })

  it('writes an operation once', async () => {
    const session = await durableSession(memoryStore(), 'chat')
    const transaction = { type: 'append_items' as const, items: [user('hi')] }
    for (const _try of [1, 2]) await session.applyHistoryTransaction({ operationId: 'op', transaction })
    expect(await session.getItems()).toHaveLength(1)
    const other = { type: 'append_items' as const, items: [user('other')] }
    await expect(session.applyHistoryTransaction({ operationId: 'op', transaction: other })).rejects.toThrow()
  })

  it('pops, limits and clears', async () => {
    const session = await durableSession(memoryStore(), 'chat')
    await session.addItems([user('a'), call('c1'), result('c1', 'ok'), user('b')])
    expect(await session.popItem()).toEqual(user('b'))
    expect(await session.getItems()).toHaveLength(3)
    expect((await session.getItems(1)).map((item) => item.type)).toContain('function_call')
    expect(await session.popItem()).toEqual(result('c1', 'ok'))
    expect(await session.popItem()).toEqual(call('c1'))
    expect(await session.getItems()).toEqual([user('a')])
    await session.clearSession()
    expect(await session.getItems()).toEqual([])
    expect(await session.popItem()).toBeUndefined()
  })

  it('leaves a call that waits for an approval to be approved', async () => {
    const careful = new Agent({ name: 'A', instructions: 'Be brief.', tools: [weather(true)] })
    const session = await durableSession(memoryStore(), 'chat')
    contract.script({ calls: [{ id: 'wait_1', name: 'weather', arguments: { city: 'Tromso' } }] }, { text: 'Cold.' })
    const first = await runner.run(careful, 'Tromso?', { session })
    expect(first.interruptions).toHaveLength(1)
    const state = await RunState.fromString(careful, first.state.toString())
    state.approve(state.getInterruptions()[0]!)
    const done = await runner.run(careful, state, { session })
    expect(done.finalOutput).toBe('Cold.')
    expect(ran).toContain('Tromso')
    const stored = JSON.stringify(await session.getItems())
    expect(stored).toContain('Sunny in Tromso.')
    expect(stored).not.toMatch(/unknown/i)
  })
})
