import { expect, it } from 'vitest'
import { type GuardEvent, guard } from './index.ts'

const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] })
const ask = async (answer: string, status: number, maxResponseBytes: number) => {
  const events: GuardEvent[] = []
  const size = Math.ceil(answer.length / 20)
  const pieces = Array.from({ length: 20 }, (_, i) => answer.slice(i * size, (i + 1) * size))
  const stream = () =>
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
        controller.close()
      },
    })
  const headers = { 'content-type': 'application/json' }
  const fetch = guard({
    fetch: (async () => new Response(stream(), { status, headers })) as typeof globalThis.fetch,
    provider: 'openai',
    maxResponseBytes: maxResponseBytes,
    wait: async () => {},
    onEvent: (event) => events.push(event),
  })
  const response = await fetch('http://anywhere/v1/chat/completions', { method: 'POST', body })
  return {
    status: response.status,
    text: await response.text(),
    passed: events.filter(({ type }) => type === 'passed'),
  }
}

const whole = JSON.stringify({ choices: [{ index: 0, message: { content: 'Yes.' }, finish_reason: 'stop' }] })

it('an answer longer than `maxResponseBytes` is passed on unchanged, and reported as unread', async () => {
  const long = await ask(whole, 200, 20)
  expect(long).toMatchObject({ status: 200, text: whole, passed: [{ type: 'passed', why: 'too-large' }] })
  expect(await ask(whole, 200, 20_000)).toMatchObject({ status: 200, text: whole, passed: [] })
})

it('of a rejection a mebibyte is read', async () => {
  const error = JSON.stringify({ error: { message: 'x'.repeat(2_000_000) } })
  const { status, text, passed } = await ask(error, 400, 20_000)
  expect([status, text === error, passed.length]).toEqual([400, true, 1])
})

it('has to be above 0', () => {
  expect(() => guard({ maxResponseBytes: 0 })).toThrow(/maxResponseBytes/)
})
