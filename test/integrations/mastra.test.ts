/**
 * Threads that a Mastra agent cannot continue or forgets, with the real package against the contract.
 */
import { createAnthropic } from '@ai-sdk/anthropic'
import { Agent } from '@mastra/core/agent'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningContract, startContract } from '../../contract/index.ts'
import { answered, repairProcessor } from '../../src/integrations/mastra.ts'

let contract: RunningContract
beforeAll(async () => {
  contract = await startContract()
})
afterAll(() => contract.close())

function agentWith(...inputProcessors: ReturnType<typeof repairProcessor>[]) {
  const model = createAnthropic({ apiKey: 'none', baseURL: `${contract.url}/anthropic/v1` })('claude-sonnet-4-5')
  return new Agent({ id: 'a', name: 'A', instructions: 'Be brief.', model, inputProcessors, maxRetries: 0 })
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
  const { text } = await agentWith(repairProcessor()).generate(thread)
  expect(text).toBe('Yes.')
  expect(sent()).toContain('first')
  expect(sent()).toContain('second')
})

it('says that the outcome of an open call is unknown, where Mastra forgets the call', async () => {
  const thread = [user('a'), pair('toolu_2', '')[0]!, user('and?')]
  contract.script({ text: 'Yes.' }, { text: 'Yes.' })
  await agentWith().generate(thread)
  expect(sent()).not.toContain('toolu_2')
  await agentWith(repairProcessor()).generate(thread)
  expect(sent()).toContain('toolu_2')
  expect(sent()).toMatch(/unknown/i)
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
