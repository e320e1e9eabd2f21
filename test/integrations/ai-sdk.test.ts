/**
 * Histories that the AI SDK rejects or silently shortens, with the real package against the contract.
 */
import { createOpenAI } from '@ai-sdk/openai'
import { convertToModelMessages, generateText, type ModelMessage, type UIMessage } from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningContract, startContract } from '../../contract/index.ts'
import { prepareStep, repairModelMessages, repairUIMessages } from '../../src/integrations/ai-sdk.ts'

let contract: RunningContract
beforeAll(async () => {
  contract = await startContract()
})
afterAll(() => contract.close())

const model = () => createOpenAI({ apiKey: 'none', baseURL: `${contract.url}/openai/v1` }).chat('gpt-4.1')
const call = { type: 'tool-call' as const, toolCallId: 'c1', toolName: 'weather', input: { city: 'Oslo' } }
const open: ModelMessage[] = [
  { role: 'user', content: 'weather?' },
  { role: 'assistant', content: [call] },
  { role: 'user', content: 'Are you still there?' },
]

describe('prepareStep', () => {
  it('repairs what the SDK throws for', async () => {
    await expect(generateText({ model: model(), messages: open, maxRetries: 0 })).rejects.toThrow(/c1/)
    contract.script({ text: 'Yes.' })
    const { text } = await generateText({ model: model(), messages: open, maxRetries: 0, prepareStep: prepareStep() })
    expect(text).toBe('Yes.')
  })

  it('repairs nothing again once the repaired messages are stored', () => {
    const repairs: unknown[] = []
    const stored = repairModelMessages(open, { onRepair: (one) => repairs.push(one) })
    expect(repairs).toHaveLength(1)
    expect(prepareStep({ onRepair: (one) => repairs.push(one) })({ messages: stored })).toEqual({})
    expect(repairs).toHaveLength(1)
  })
})

describe('UI messages', () => {
  const ui = (state: string, more: object = {}): UIMessage[] =>
    [
      { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'weather?' }] },
      {
        id: 'm2',
        role: 'assistant',
        parts: [{ type: 'tool-weather', toolCallId: 'c1', state, input: { city: 'Oslo' }, ...more }],
      },
      { id: 'm3', role: 'user', parts: [{ type: 'text', text: 'Are you still there?' }] },
    ] as UIMessage[]

  it('saved in the middle of a call fail without the repair and pass with it, once', async () => {
    const broken = ui('input-available')
    const send = async (messages: UIMessage[]) =>
      generateText({ model: model(), maxRetries: 0, messages: await convertToModelMessages(messages) })
    await expect(send(broken)).rejects.toThrow(/c1/)
    const stored = repairUIMessages(broken)
    contract.script({ text: 'Yes.' })
    expect((await send(stored)).text).toBe('Yes.')
    expect(repairUIMessages(stored)).toBe(stored)
    expect(stored[0]).toBe(broken[0])
  })

  it('that wait for an approval are untouched', () => {
    const waiting = ui('approval-requested', { approval: { id: 'a1' } }).slice(0, 2)
    expect(repairUIMessages(waiting, { inProgress: true })).toBe(waiting)
  })
})
