/**
 * Streams through the guard: sound ones byte for byte, broken ones with the error event their client waits for behind a whole frame.
 */
import { describe, expect, it } from 'vitest'
import { contractFetch, type Reply as Said } from '../../contract/index.ts'
import { request, taken, type Way, way } from '../../contract/server/testing/ways.ts'
import type { Reply } from '../core/reply.ts'
import { splitter } from '../dialects/replies/frames.ts'
import { replies } from '../dialects/replies/index.ts'
import { type FetchOptions, type GuardEvent, guard } from './index.ts'

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

const TEXT = { text: 'An answer, déjà vu, with 中文 and 😀 in it, long enough for some events.', chunk: 9 }
const CALL = { calls: [{ name: 'weather', arguments: { city: 'A place with a long name: Llanfair' } }], chunk: 7 }

async function through(one: Way, said: Said, options: FetchOptions = {}) {
  const events: GuardEvent[] = []
  const given: Reply[] = []
  const contract = contractFetch({ script: [said] })
  const guarded = guard({
    fetch: contract,
    provider: one.provider,
    mode: 'repair',
    onEvent: (event) => events.push(event),
    onReply: (reply) => given.push(reply),
    ...options,
  })
  const got = await taken(await guarded('http://anywhere' + one.path, request(one)))
  const sent = contract.requests.map(({ answer }) => Buffer.concat(answer.writes))
  return { ...got, events, reply: given[0]!, replies: given, sent: sent.at(-1)!, count: sent.length }
}

describe.each(WAYS)('%s', (name, one) => {
  it.each([
    ['text', TEXT],
    ['a call', CALL],
  ])('%s: a sound stream is byte-identical, however it is cut into pieces', async (_what, said) => {
    for (const write of [undefined, 1, 7, 1000]) {
      const { bytes, sent, broken, events, reply } = await through(one, write ? { ...said, write } : said)
      expect(Buffer.from(bytes).equals(sent)).toBe(true)
      expect([broken, events, reply.complete]).toEqual([false, [], true])
    }
  })

  it('cut anywhere, whole frames and one error event reach the caller', async () => {
    const form = replies[DIALECTS[one.endpoint]]!
    const { sent } = await through(one, CALL)
    const whole = completeAt(sent, name, form)
    const failed = split(form.failure({ message: 'x' }, framingOf(name)), name).frames.length
    for (let at = 0; at < whole; at += at < 150 ? 1 : 17) {
      const fault = at % 3 === 0 ? (`end-after-bytes=${at}` as const) : (`cut-after-bytes=${at}` as const)
      const { bytes, broken, reply, events } = await through(one, { ...CALL, fault })
      const { frames, rest } = split(bytes, name)
      const cut = split(sent.subarray(0, at), name)
      expect(rest, fault).toBe(0)
      expect(frames.slice(0, -failed), fault).toEqual(cut.frames)
      expect(frames.length, fault).toBe(cut.frames.length + failed)
      expect([broken, reply.complete, reply.calls, events.at(-1)?.type]).toEqual([false, false, [], 'incomplete'])
    }
  })

  it('an error of the provider behind output goes on as it came', async () => {
    const { bytes, sent, reply, count } = await through(one, { ...TEXT, fault: 'error-event=6' }, { mode: 'recover' })
    expect(Buffer.from(bytes).equals(sent)).toBe(true)
    expect([reply.complete, reply.why, count]).toEqual([false, 'error', 1])
  })
})

it.each(['messages', 'chat', 'responses'] as const)('%s: an error outside of any frame gets one', async (endpoint) => {
  const { text, reply, sent } = await through(way(endpoint, true), { ...TEXT, fault: 'bare-error=6' })
  const { frames } = split(new TextEncoder().encode(text), endpoint)
  expect(frames.length).toBeGreaterThan(split(sent, endpoint).frames.filter(({ kind }) => kind !== 'bare').length)
  expect(reply.why).toBe('error')
  expect(frames.at(-1)?.data).toMatch(/error/)
})

it('a frame that never ends is an error, and nothing more is asked for', async () => {
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
    longestFrame: 50_000,
    onReply: (reply) => given.push(reply),
  })
  const one = way('chat', true)
  const { text, broken } = await taken(await fetch('http://anywhere' + one.path, request(one)))
  expect(text.startsWith(`${chunk}data: {"error":{"message":"A frame of the stream is longer`)).toBe(true)
  expect([broken, left, given[0]?.complete, given[0]?.why]).toEqual([false, true, false, 'malformed'])
  expect(() => guard({ longestFrame: 0 })).toThrow(/longestFrame/)
})

it('several answers: each must come to its end', async () => {
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
      return (await fetch('http://anywhere/v1/chat/completions', { method: 'POST', body })).text()
    }
    const whole = head + event(1, ' more', 'stop') + event(1, '') + 'data: [DONE]\n\n'
    expect(await ask(whole)).toBe(whole)
    expect(await ask(head)).toContain('The stream ended before the answer did.')
    expect(await ask(head + 'data: [DONE]\n\n')).not.toContain('[DONE]')
  }
})

it('a false [DONE] does not reach the caller', async () => {
  for (const write of [undefined, 1, 10_000]) {
    const said: Said = { ...TEXT, fault: 'done-after-events=3', ...(write ? { write } : {}) }
    const { text, reply, sent } = await through(way('chat', true), said)
    expect(sent.toString()).toContain('[DONE]')
    expect(text).not.toContain('[DONE]')
    expect(text).toMatch(/^data: (.|\n)*\n\ndata: \{"error":\{[^\n]*\}\}\n\n$/)
    expect(reply.why).toBe('cut')
  }
})

it('a caller who leaves gives the provider up, and the answer as far as it came', async () => {
  const contract = contractFetch({ script: [TEXT] })
  const given: Reply[] = []
  const guarded = guard({ fetch: contract, provider: 'openai', onReply: (reply) => given.push(reply) })
  const one = way('chat', true)
  const response = await guarded('http://anywhere' + one.path, request(one))
  const reader = response.body!.getReader()
  await reader.read()
  await reader.cancel()
  expect(await contract.requests[0]!.done).toBe('left')
  expect(given).toMatchObject([{ complete: false, why: 'cut' }])
})

/** Where the answer is complete, so that a cut behind it is none. */
function completeAt(bytes: Uint8Array, name: string, form: (typeof replies)[string]): number {
  const cutter = splitter(framingOf(name))
  const assembler = form!.stream()
  for (let at = 0; at < bytes.length; at++) {
    for (const frame of cutter.push(bytes.subarray(at, at + 1))) assembler.push(frame)
    if (assembler.done) return at
  }
  throw new Error('Never complete.')
}

function split(bytes: Uint8Array, name: string) {
  const cutter = splitter(framingOf(name))
  const frames = [...cutter.push(bytes)]
  return { frames, rest: bytes.length - cutter.whole }
}
