/** Responses that begin with keep-alives or white space: after two seconds the caller gets what there is. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type GuardEvent, guard } from '../index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const CHAT = 'https://api.openai.com/v1/chat/completions'
const BODY = JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'x' }] })
const REPLY = '{"choices":[{"index":0,"message":{"role":"assistant","content":"Yes."},"finish_reason":"stop"}]}'
const encoder = new TextEncoder()

/** A provider that sends this at once, and the rest when it is asked to. */
function provider(type: string, early: string, status = 200) {
  const events: GuardEvent[] = []
  const replies: unknown[] = []
  let controller!: ReadableStreamDefaultController<Uint8Array>
  const stream = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
      if (early !== '') controller.enqueue(encoder.encode(early))
    },
  })
  const fetch = guard({
    fetch: async () => new Response(stream, { status, headers: { 'content-type': type } }),
    onEvent: (event) => events.push(event),
    onReply: ({ complete, messages }) => replies.push([complete, messages]),
  })
  let response: Response | undefined
  const asked = fetch(CHAT, { method: 'POST', body: BODY }).then((given) => {
    response = given
    return given
  })
  const after = async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds)
    return response?.status
  }
  const end = (rest: string) => {
    controller.enqueue(encoder.encode(rest))
    controller.close()
  }
  return { asked, after, end, events, replies, controller }
}

it.each([
  ['text/event-stream', ': ping\n\n', 'data: [DONE]\n\n'],
  ['text/event-stream', '\n', 'data: [DONE]\n\n'],
  ['text/event-stream', '', 'data: [DONE]\n\n'],
  ['application/json', ' \r\n', REPLY],
  ['application/json', '', REPLY],
])('%s that begins with %j', async (type, early, rest) => {
  const { asked, after, end } = provider(type, early)
  expect(await after(1_900)).toBe(undefined)
  expect(await after(100)).toBe(200)
  end(rest)
  expect(await (await asked).text()).toBe(early + rest)
})

it('the reply of a late JSON answer is reported when it is complete', async () => {
  const { asked, after, end, events, replies } = provider('application/json', ' ')
  await after(2_000)
  end(REPLY)
  await (await asked).text()
  expect(replies).toEqual([[true, [expect.objectContaining({ content: 'Yes.' })]]])
  expect(events).toEqual([])
})

it('half of a late JSON answer is an incomplete reply', async () => {
  const { asked, after, end, events, replies } = provider('application/json', ' ')
  await after(2_000)
  end(REPLY.slice(0, 30))
  expect(await (await asked).text()).toBe(` ${REPLY.slice(0, 30)}`)
  expect(replies).toEqual([[false, []]])
  expect(events).toMatchObject([{ type: 'incomplete' }])
})

it('a late answer that its caller cancels is not reported as broken', async () => {
  const { asked, after, events } = provider('application/json', ' ')
  await after(2_000)
  await (await asked).body!.cancel()
  expect(events).toEqual([])
})

it('a JSON answer that has begun is held for a minute, since half of it can be requested again', async () => {
  const { asked, after, end } = provider('application/json', REPLY.slice(0, 10))
  expect(await after(50_000)).toBe(undefined)
  expect(await after(20_000)).toBe(200)
  end(REPLY.slice(10))
  expect(await (await asked).text()).toBe(REPLY)
})

it('a rejection without an end reaches the caller, too', async () => {
  const { asked, after, end, events } = provider('application/json', '{"error":', 400)
  expect(await after(70_000)).toBe(400)
  end('{}}')
  expect(await (await asked).text()).toBe('{"error":{}}')
  expect(events).toMatchObject([{ type: 'passed', why: 'too-late' }])
})
