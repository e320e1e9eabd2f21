/**
 * Streams through the guard: valid ones byte for byte; broken ones up to the break, and then they break for the caller,
 * too.
 */
import { describe, expect, it, vi } from 'vitest'
import { contractFetch, type Reply as ScriptedReply } from '../../../contract/index.ts'
import { request, taken, type Way, way } from '../../../contract/server/testing/ways.ts'
import type { Reply } from '../../core/reply.ts'
import { splitter } from '../../dialects/replies/frames.ts'
import { replies } from '../../dialects/replies/index.ts'
import type { ProviderId } from '../../providers/index.ts'
import { type FetchOptions, type GuardEvent, guard } from '../index.ts'
import { endpointOf, exchange, resolveOptions } from '../transport.ts'
import { ResponseSource } from './response.ts'

const DIALECTS = {
  messages: 'anthropic-messages',
  chat: 'openai-chat',
  responses: 'openai-responses',
  gemini: 'gemini',
  converse: 'bedrock-converse',
} as const
const ENDPOINTS = Object.keys(DIALECTS) as (keyof typeof DIALECTS)[]
const list: Way = { ...way('gemini', true), path: '/gemini/v1beta/models/gemini-2.5-flash:streamGenerateContent' }
const WAYS = [...ENDPOINTS.map((endpoint) => [endpoint, way(endpoint, true)] as const), ['a list', list] as const]
const FRAMING = { converse: 'eventstream', 'a list': 'array' } as const
const framingOf = (name: string) => FRAMING[name as keyof typeof FRAMING] ?? 'sse'

const TEXT = { text: 'An answer, déjà vu, with 中文 and 😀 in it, long enough for some events.', chunkBytes: 9 }
const CALL = { calls: [{ name: 'weather', arguments: { city: 'A place with a long name: Llanfair' } }], chunkBytes: 7 }

async function through(one: Way, answer: ScriptedReply, options: FetchOptions = {}) {
  const events: GuardEvent[] = []
  const given: Reply[] = []
  const contract = contractFetch({ script: [answer] })
  const guarded = guard({
    fetch: contract,
    provider: one.provider as ProviderId,
    level: 'repair',
    onEvent: (event) => events.push(event),
    onReply: (reply) => given.push(reply),
    ...options,
  })
  const got = await taken(await guarded('http://anywhere' + one.path, request(one)))
  const sent = contract.requests.map(({ answer }) => Buffer.concat(answer.writes))
  return { ...got, events, reply: given[0]!, replies: given, sent: sent.at(-1)!, count: sent.length }
}

/** The same at an address of which only the path says what is spoken there. */
async function assumed(one: Way, given: ScriptedReply) {
  const events: GuardEvent[] = []
  const contract = contractFetch({ script: [given] })
  const service = endpointOf({ host: '', path: one.path.split('?')[0]! }, { provider: one.provider as ProviderId })!
  const endpoint = { ...service, known: false }
  const headers = { get: () => null, all: () => ({}) }
  const body = JSON.stringify(one.body)
  const settings = resolveOptions({ onEvent: (event) => events.push(event) })
  const answer = await exchange({ endpoint, path: one.path, headers, body, level: 'recover' }, settings, async () => {
    const response = await contract('http://anywhere' + one.path, request(one))
    return { status: response.status, headers: response.headers, body: new ResponseSource(response) }
  })
  const pieces: Uint8Array[] = []
  let broken = false
  try {
    for (let piece = await answer.body!.read(); piece; piece = await answer.body!.read()) pieces.push(piece)
  } catch {
    broken = true
  }
  const sent = Buffer.concat(contract.requests[0]!.answer.writes)
  return { bytes: Buffer.concat(pieces), broken, events, sent }
}

describe.each(WAYS)('%s', (name, one) => {
  it.each([
    ['text', TEXT],
    ['a call', CALL],
  ])('%s: a valid stream is byte-identical, in any pieces', async (_what, answer) => {
    for (const write of [undefined, 1, 7, 1000]) {
      const { bytes, sent, broken, events, reply } = await through(
        one,
        write ? { ...answer, writeBytes: write } : answer,
      )
      expect(Buffer.from(bytes).equals(sent)).toBe(true)
      expect([broken, events, reply.complete]).toEqual([false, [], true])
    }
  })

  it('cut anywhere, all that came before the break arrives, and the caller sees a break', async () => {
    const form = replies[DIALECTS[one.endpoint]]!
    const { sent } = await through(one, CALL)
    const { output, complete } = marksIn(sent, name, form)
    for (let at = 0; at < complete; at += at < 150 ? 1 : 17) {
      const fault = at % 3 === 0 ? (`end-after-bytes=${at}` as const) : (`cut-after-bytes=${at}` as const)
      const asked = through(one, { ...CALL, fault })
      if (at <= output) {
        // Nothing of the answer was there: the request fails as one that lost its connection, and its client may retry.
        await expect(asked, fault).rejects.toMatchObject({ name: 'TypeError', code: 'ECONNRESET' })
        continue
      }
      const { bytes, broken, reply, events } = await asked
      expect(Buffer.from(bytes).equals(sent.subarray(0, at)), fault).toBe(true)
      expect([broken, reply.complete, reply.calls, events.at(-1)?.type]).toEqual([true, false, [], 'incomplete'])
    }
  })

  it('on a host that no one names a clean end stays one, and is reported as incomplete; a break stays a break', async () => {
    const unnamed = (fault: 'end-after-events=6' | 'cut-after-events=6') => assumed(one, { ...TEXT, fault })
    const ended = await unnamed('end-after-events=6')
    expect([ended.broken, Buffer.from(ended.bytes).equals(ended.sent)]).toEqual([false, true])
    expect(ended.events.at(-1)).toMatchObject({ type: 'incomplete', why: 'cut', output: true })
    const cut = await unnamed('cut-after-events=6')
    expect([cut.broken, Buffer.from(cut.bytes).equals(cut.sent)]).toEqual([true, true])
  })

  it('an error of the provider after output is passed on unchanged', async () => {
    const { bytes, sent, reply, count } = await through(one, { ...TEXT, fault: 'error-event=6' }, { level: 'recover' })
    expect(Buffer.from(bytes).equals(sent)).toBe(true)
    expect([reply.complete, reply.why, count]).toEqual([false, 'error', 1])
  })
})

it.each(['messages', 'chat', 'responses'] as const)(
  '%s: an error outside of any frame is passed on unchanged, and the stream breaks off after it',
  async (endpoint) => {
    const { bytes, reply, sent, broken } = await through(way(endpoint, true), { ...TEXT, fault: 'bare-error=6' })
    expect([Buffer.from(bytes).equals(sent), broken, reply.why]).toEqual([true, true, 'error'])
  },
)

it('a frame that never ends breaks the stream off, and nothing more is read', async () => {
  let left = false
  const endless = (first: string) => {
    let count = 0
    return new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(count++ === 0 ? first : 'x'.repeat(1000))),
      cancel() {
        left = true
      },
    })
  }
  const chunk = 'data: {"choices":[{"index":0,"delta":{"content":"Well"}}]}\n\n'
  const given: Reply[] = []
  const fetch = guard({
    fetch: async () => new Response(endless(`${chunk}data: `), { headers: { 'content-type': 'text/event-stream' } }),
    provider: 'openai',
    maxFrameBytes: 50_000,
    onReply: (reply) => given.push(reply),
  })
  const one = way('chat', true)
  const { text, broken } = await taken(await fetch('http://anywhere' + one.path, request(one)))
  expect(text.startsWith(`${chunk}data: xxx`)).toBe(true)
  expect([broken, left, given[0]?.complete, given[0]?.why]).toEqual([true, true, false, 'malformed'])
  expect(() => guard({ maxFrameBytes: 0 })).toThrow(/maxFrameBytes/)
})

it('several answers: each must reach its end', async () => {
  const event = (index: number, content: string, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'x', choices: [{ index, delta: { content }, finish_reason }] })}\n\n`
  const head = event(0, 'One') + event(1, 'Two') + event(0, '', 'stop')
  for (const onReply of [() => {}, undefined]) {
    const ask = async (stream: string) => {
      const fetch = guard({
        fetch: async () => new Response(stream, { headers: { 'content-type': 'text/event-stream' } }),
        provider: 'openai',
        ...(onReply ? { onReply } : {}),
      })
      const body = JSON.stringify({ model: 'm', n: 2, stream: true, messages: [{ role: 'user', content: 'x' }] })
      return taken(await fetch('http://anywhere/v1/chat/completions', { method: 'POST', body }))
    }
    const whole = head + event(1, ' more', 'stop') + event(1, '') + 'data: [DONE]\n\n'
    expect(await ask(whole)).toMatchObject({ text: whole, broken: false })
    expect(await ask(head)).toMatchObject({ text: head, broken: true })
  }
})

it('a [DONE] without a finish reason is passed on unchanged, and the answer is reported as incomplete', async () => {
  for (const write of [undefined, 1, 10_000]) {
    const answer: ScriptedReply = { ...TEXT, fault: 'done-after-events=3', ...(write ? { writeBytes: write } : {}) }
    const { text, reply, sent, broken, events } = await through(way('chat', true), answer)
    expect([text, broken]).toEqual([sent.toString(), false])
    expect([reply.complete, reply.why]).toEqual([false, 'cut'])
    expect(events).toMatchObject([{ type: 'incomplete', why: 'cut', output: true }])
  }
})

it.each([' : ', ':\t', ': '])('an end is recognized with any white space in its JSON: %j', async (colon) => {
  const spaced = (finish: string) =>
    `data: {"choices"${colon}[{"index"${colon}0,"delta"${colon}{"content"${colon}"a"}${finish}}]}\n\n`
  const whole = spaced('') + spaced('') + spaced(`,"finish_reason"${colon}"stop"`)
  const fetch = guard({
    fetch: async () => new Response(whole, { headers: { 'content-type': 'text/event-stream' } }),
    provider: 'openai',
  })
  const one = way('chat', true)
  expect(await taken(await fetch('http://anywhere' + one.path, request(one)))).toMatchObject({
    text: whole,
    broken: false,
  })
})

it('a stream of keep-alives is held back for some time only, so that its client does not give up', async () => {
  vi.useFakeTimers()
  let more: (text: string | undefined) => void = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      more = (text) => (text === undefined ? controller.close() : controller.enqueue(new TextEncoder().encode(text)))
    },
  })
  const fetch = guard({
    fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    provider: 'openai',
  })
  const one = way('chat', true)
  try {
    const asked = fetch('http://anywhere' + one.path, request(one))
    more(': keep-alive\n\n')
    await vi.advanceTimersByTimeAsync(20_000)
    const response = await asked
    const rest = 'data: {"choices":[{"index":0,"delta":{"content":"Yes."},"finish_reason":"stop"}]}\n\n'
    more(rest)
    more(undefined)
    expect(await taken(response)).toMatchObject({ text: `: keep-alive\n\n${rest}`, broken: false })
  } finally {
    vi.useRealTimers()
  }
})

it('if the caller cancels, the request is aborted and the partial answer reported', async () => {
  const contract = contractFetch({ script: [TEXT] })
  const given: Reply[] = []
  const guarded = guard({ fetch: contract, provider: 'openai', onReply: (reply) => given.push(reply) })
  const one = way('chat', true)
  const response = await guarded('http://anywhere' + one.path, request(one))
  const reader = response.body!.getReader()
  await reader.read()
  await reader.cancel()
  expect(await contract.requests[0]!.done).toBe('disconnected')
  expect(given).toMatchObject([{ complete: false, why: 'cut' }])
})

/**
 * After how many bytes something of the answer is there, and after how many all of it, so that a cut after them is
 * none.
 */
function marksIn(
  bytes: Uint8Array,
  name: string,
  form: (typeof replies)[string],
): { output: number; complete: number } {
  const cutter = splitter(framingOf(name))
  const assembler = form!.stream()
  let output = 0
  for (let at = 0; at < bytes.length; at++) {
    for (const frame of cutter.push(bytes.subarray(at, at + 1))) assembler.push(frame)
    if (!assembler.output) output = at + 1
    if (assembler.done) return { output, complete: at }
  }
  throw new Error('Never complete.')
}
