/**
 * Language models of the AI SDK as the model of a turn: real ones against the contract, and one that is written down
 * part by part.
 */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test'
import { expect, it } from 'vitest'
import { contract, deferred, eventsOf, outline, textIn, tool } from '../../test/agent-setup.ts'
import { lint } from '../index.ts'
import { memoryStore, openSession } from '../session.ts'
import { type LanguageModel, runTurn } from './index.ts'

const open = () => openSession(memoryStore(), 'chat', { provider: 'ai-sdk' })
const weather = tool('weather', ({ city }) => `Sunny in ${city}.`, {
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
})

it.each([
  ['openai', (fetch: typeof globalThis.fetch) => createOpenAI({ apiKey: 'none', fetch }).chat('gpt-4o')],
  [
    'openai-responses',
    (fetch: typeof globalThis.fetch) => createOpenAI({ apiKey: 'none', fetch }).responses('gpt-4.1'),
  ],
  ['anthropic', (fetch: typeof globalThis.fetch) => createAnthropic({ apiKey: 'none', fetch })('claude-sonnet-4-5')],
] as const)('a model of @ai-sdk/%s runs tools, is aborted, and continues', async (_name, model) => {
  const fetch = contract()
  fetch.script(
    { text: 'Let me see.', calls: [{ name: 'weather', arguments: { city: 'Oslo' } }] },
    { text: 'It is sunny.' },
    { calls: [{ name: 'weather', arguments: { city: 'Rome' } }] },
  )
  const session = await open()
  const turn = runTurn(session, 'Weather?', { model: model(fetch), tools: [weather], system: 'Be brief.' })
  expect(textIn(await eventsOf(turn))).toBe('Let me see.It is sunny.')
  expect(await turn.outcome).toMatchObject({ status: 'done', text: 'It is sunny.', steps: 2 })
  const hang = deferred()
  const slow = runTurn(session, 'And Rome?', { model: model(fetch), tools: [{ ...weather, run: () => hang.opened }] })
  for await (const event of slow) if (event.type === 'call') slow.abort()
  expect((await slow.outcome).status).toBe('aborted')
  fetch.script({ text: 'Who knows.' })
  expect(await runTurn(session, 'Well?', { model: model(fetch) }).outcome).toMatchObject({
    status: 'done',
    text: 'Who knows.',
  })
  expect(await outline(session)).toContain(
    'result weather Sunny in Oslo. | assistant It is sunny. | user And Rome? | call weather | result weather This tool call was aborted',
  )
  expect(fetch.requests.every(({ verdict }) => verdict?.accepted)).toBe(true)
  expect(lint(await session.history(), { provider: 'ai-sdk' })).toEqual([])
})

function spoken(...chunks: readonly object[]): LanguageModel {
  const stream = () =>
    simulateReadableStream({ chunks: chunks as never[], initialDelayInMs: null, chunkDelayInMs: null })
  return new MockLanguageModelV3({ doStream: async () => ({ stream: stream() }) }) as unknown as LanguageModel
}

const finish = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: { inputTokens: { total: 7 }, outputTokens: { total: 3 } },
}

it('a stream without an end is not an answer: its text is kept, its calls are not run', async () => {
  const session = await open()
  let ran = 0
  const cut = spoken(
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'Half' },
    { type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: '{"city":"Oslo"}' },
  )
  const turn = runTurn(session, 'Hi', { model: cut, maxRetries: 0, tools: [{ ...weather, run: () => ++ran }] })
  expect(await turn.outcome).toMatchObject({ status: 'incomplete', text: 'Half' })
  expect([ran, await outline(session)]).toEqual([0, 'user Hi | assistant Half'])
})

it('signed reasoning and usage are kept; calls whose arguments are not an object are not run', async () => {
  const session = await open()
  const model = spoken(
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
    { type: 'reasoning-end', id: 'r', providerMetadata: { anthropic: { signature: 'sig' } } },
    { type: 'text-delta', id: 't', delta: 'Yes.' },
    finish,
  )
  const outcome = await runTurn(session, 'Hi', { model }).outcome
  expect(outcome).toMatchObject({ status: 'done', text: 'Yes.', usage: { input: 7, output: 3 } })
  expect((await session.raw())[1]).toEqual({
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'sig' } } },
      { type: 'text', text: 'Yes.' },
    ],
  })
  const odd = spoken({ type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: '[1' }, finish)
  const turn = runTurn(session, 'Again', { model: odd, maxSteps: 3, tools: [weather] })
  expect((await eventsOf(turn)).filter(({ type }) => type === 'call')).toEqual([])
})
