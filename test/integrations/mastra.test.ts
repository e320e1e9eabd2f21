/**
 * Threads that a Mastra agent cannot continue or forgets, with the real package against the contract.
 */
import { createAnthropic } from '@ai-sdk/anthropic'
import { Agent } from '@mastra/core/agent'
import { MockMemory } from '@mastra/core/memory'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningContract, startContract } from '../../contract/index.ts'
import { answered, repairProcessor } from '../../src/integrations/mastra.ts'

let contract: RunningContract
beforeAll(async () => {
  contract = await startContract()
})
afterAll(() => contract.close())

type AgentOptions = ConstructorParameters<typeof Agent>[0]

function agentWith(more: Partial<AgentOptions> = {}) {
  const model = createAnthropic({ apiKey: 'none', baseURL: `${contract.url}/anthropic/v1` })('claude-sonnet-4-5')
  return new Agent({ id: 'a', name: 'A', instructions: 'Be brief.', model, maxRetries: 0, ...more })
}

const pair = (toolCallId: string, value: string) => [
  {
    role: 'assistant' as const,
    content: [{ type: 'tool-call' as const, toolCallId, toolName: 'weather', input: { city: 'Oslo' } }],
  },
  {
    role: 'tool' as const,
    content: [
      { type: 'tool-result' as const, toolCallId, toolName: 'weather', output: { type: 'text' as const, value } },
    ],
  },
]
const user = (content: string) => ({ role: 'user' as const, content })
const sent = () => JSON.stringify(contract.requests.at(-1)?.body)

it('keeps two calls that share an id apart', async () => {
  const thread = [user('a'), ...pair('toolu_1', 'first'), user('b'), ...pair('toolu_1', 'second'), user('and?')]
  await expect(agentWith().generate(thread)).rejects.toThrow()
  contract.script({ text: 'Yes.' })
  const { text } = await agentWith({ inputProcessors: [repairProcessor()] }).generate(thread)
  expect(text).toBe('Yes.')
  expect(sent()).toContain('first')
  expect(sent()).toContain('second')
})

it('states that the outcome of an open call is unknown, where Mastra drops the call', async () => {
  const thread = [user('a'), pair('toolu_2', '')[0]!, user('and?')]
  contract.script({ text: 'Yes.' }, { text: 'Yes.' })
  await agentWith().generate(thread)
  expect(sent()).not.toContain('toolu_2')
  await agentWith({ inputProcessors: [repairProcessor()] }).generate(thread)
  expect(sent()).toContain('toolu_2')
  expect(sent()).toMatch(/unknown/i)
})

type Saved = Parameters<MockMemory['saveMessages']>[0]['messages'][number]
const saved = (id: string, role: 'user' | 'assistant', parts: unknown[], metadata?: object): Saved =>
  ({
    id,
    role,
    threadId: 't',
    resourceId: 'r',
    createdAt: new Date(1000 * Number(id)),
    content: { format: 2, parts, ...(metadata ? { metadata } : {}) },
  }) as Saved
const toolPart = (toolCallId: string, more: object = {}) => ({
  type: 'tool-invocation',
  toolInvocation: { state: 'call', toolCallId, toolName: 'weather', args: {} },
  ...more,
})

/** A thread that Mastra has stored, and an agent that goes on with it. */
async function threadOf(messages: Saved[], repairs: boolean) {
  const memory = new MockMemory({ enableMessageHistory: true })
  const now = new Date(0)
  await memory.saveThread({ thread: { id: 't', resourceId: 'r', title: '', createdAt: now, updatedAt: now } })
  await memory.saveMessages({ messages })
  const writes: Saved[] = []
  const store = {
    saveMessages: (args: { messages: Saved[] }) => {
      writes.push(...args.messages)
      return memory.saveMessages(args)
    },
  }
  const agent = agentWith({ memory, ...(repairs ? { inputProcessors: [repairProcessor({ memory: store })] } : {}) })
  const say = async (text: string) => (await agent.generate(text, { memory: { thread: 't', resource: 'r' } })).text
  const stored = async () => (await memory.recall({ threadId: 't', resourceId: 'r', perPage: false })).messages
  return { say, writes, stored }
}

it('stores the repair of a recalled thread once', async () => {
  const open = [
    saved('1', 'user', [{ type: 'text', text: 'weather?' }]),
    saved('2', 'assistant', [toolPart('toolu_9')]),
  ]
  const plain = await threadOf(open, false)
  contract.script({ text: 'Yes.' }, { text: 'Yes.' }, { text: 'Still.' })
  await plain.say('and?')
  expect(sent()).not.toContain('toolu_9')

  const { say, writes, stored } = await threadOf(open, true)
  expect(await say('and?')).toBe('Yes.')
  expect(sent()).toContain('toolu_9')
  expect(writes.map(({ id }) => id)).toEqual(['2'])
  expect(await say('and now?')).toBe('Still.')
  expect(writes).toHaveLength(1)
  const [, repaired] = await stored()
  expect(repaired?.content.parts).toMatchObject([{ toolInvocation: { state: 'result', toolCallId: 'toolu_9' } }])
})

it('stores nothing for a call that waits for an approval, or that the provider runs', async () => {
  const approval = { pendingToolApprovals: { weather: { toolCallId: 'toolu_9' } } }
  const { say, writes } = await threadOf(
    [
      saved('1', 'user', [{ type: 'text', text: 'weather?' }]),
      saved('2', 'assistant', [toolPart('srvtoolu_1', { providerExecuted: true }), { type: 'text', text: 'Hm.' }]),
      saved('3', 'assistant', [toolPart('toolu_9')], approval),
    ],
    true,
  )
  contract.script({ text: 'Yes.' })
  expect(await say('and?')).toBe('Yes.')
  expect(writes).toEqual([])
})

const invocation = { state: 'call' as const, toolCallId: 'c1', toolName: 'weather', args: {} }
const stored = (metadata?: Record<string, unknown>) => ({
  id: 'm1',
  role: 'assistant' as const,
  createdAt: new Date(0),
  content: {
    format: 2 as const,
    parts: [{ type: 'tool-invocation' as const, toolInvocation: invocation }],
    ...(metadata ? { metadata } : {}),
  },
})

it('leaves calls that wait for an approval, and messages it has repaired', () => {
  const waiting = stored({ pendingToolApprovals: { weather: { toolCallId: 'c1' } } })
  expect(answered(waiting)).toBe(waiting)
  const once = answered(stored())
  expect(once.content.parts[0]).toMatchObject({ toolInvocation: { state: 'result', toolCallId: 'c1' } })
  expect(answered(once)).toBe(once)
})
