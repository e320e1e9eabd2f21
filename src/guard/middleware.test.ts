import { generateText, type LanguageModelMiddleware, streamText, wrapLanguageModel } from 'ai'
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test'
import { expect, it } from 'vitest'
import { type GuardEvent, middleware } from './index.ts'

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never
const finishReason = { unified: 'stop', raw: 'stop' } as const
const call = { type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: {} } as const

function wrapped(model: MockLanguageModelV3, events: GuardEvent[] = []) {
  const one = middleware({ onEvent: (event) => events.push(event) }) as LanguageModelMiddleware
  return wrapLanguageModel({ model, middleware: one })
}

it('a prompt is repaired before the model sees it, in the shape of a prompt', async () => {
  const model = new MockLanguageModelV3({
    doGenerate: async () => ({ content: [{ type: 'text', text: 'ok' }], finishReason, usage, warnings: [] }),
  })
  const events: GuardEvent[] = []
  const prompt = [
    { role: 'user' as const, content: [{ type: 'text' as const, text: 'weather?' }] },
    { role: 'assistant' as const, content: [call] },
    { role: 'user' as const, content: [{ type: 'text' as const, text: 'still there?' }] },
  ]
  await wrapped(model, events).doGenerate({ prompt } as never)
  const seen = model.doGenerateCalls[0]!.prompt
  expect(seen.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
  expect(seen[0]).toBe(prompt[0])
  for (const { role, content } of seen) expect(role === 'system' || Array.isArray(content)).toBe(true)
  expect(events).toMatchObject([{ type: 'repaired', findings: { 'tool-result-missing': 1 } }])
  const given = Buffer.byteLength(JSON.stringify(prompt))
  const sent = Buffer.byteLength(JSON.stringify(seen))
  const prefix = JSON.stringify(prompt.slice(0, 2)).length + ',{"role":"'.length - 1
  expect(events).toMatchObject([{ bytes: { given, sent, prefix, lost: given - prefix } }])
})

it('a valid prompt is the very same', async () => {
  const model = new MockLanguageModelV3({
    doGenerate: async () => ({ content: [{ type: 'text', text: 'ok' }], finishReason, usage, warnings: [] }),
  })
  const events: GuardEvent[] = []
  const { text } = await generateText({ model: wrapped(model, events), prompt: 'hello' })
  expect([text, events]).toEqual(['ok', []])
})

it('a stream without its finish breaks off, as one that lost its connection', async () => {
  const chunks = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'half an ans' },
  ]
  const model = new MockLanguageModelV3({
    doStream: async () => ({ stream: simulateReadableStream({ chunks }) as never }),
  })
  const events: GuardEvent[] = []
  const { textStream, finishReason: finished } = streamText({ model: wrapped(model, events), prompt: 'hello' })
  let text = ''
  const read = async () => {
    for await (const piece of textStream) text += piece
  }
  await expect(read()).rejects.toMatchObject({ message: 'terminated', code: 'ECONNRESET' })
  await expect(finished).rejects.toMatchObject({ message: 'terminated' })
  expect(text).toBe('half an ans')
  expect(events).toMatchObject([{ type: 'incomplete', why: 'cut', output: true }])
})

it('an error part of the model is passed on unchanged', async () => {
  const parts = [
    { type: 'stream-start', warnings: [] },
    { type: 'error', error: new Error('Overloaded') },
  ]
  const model = new MockLanguageModelV3({
    doStream: async () => ({ stream: simulateReadableStream({ chunks: parts }) as never }),
  })
  const { stream } = await wrapped(model).doStream({ prompt: [] } as never)
  const seen: unknown[] = []
  for await (const part of stream as AsyncIterable<unknown>) seen.push(part)
  expect(seen).toEqual(parts)
})
