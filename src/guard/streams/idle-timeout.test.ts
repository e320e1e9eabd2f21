/** A provider that falls silent: before its headers, before its first word, in the middle of an answer. */
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { type FetchOptions, type GuardEvent, guard } from '../index.ts'

const encoder = new TextEncoder()
const CHAT = 'https://api.openai.com/v1/chat/completions'
const BODY = JSON.stringify({ model: 'gpt-4.1', stream: true, messages: [{ role: 'user', content: 'x' }] })
const word = (content: string, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`

interface Line {
  /** Signals of the requests, in order. */
  readonly signals: (AbortSignal | undefined)[]
  readonly canceled: unknown[]
  readonly fetch: typeof fetch
}

/** Each request gets these pieces and then silence; `end` closes the stream instead. */
function line(answers: readonly (readonly string[])[], type = 'text/event-stream'): Line {
  const signals: (AbortSignal | undefined)[] = []
  const canceled: unknown[] = []
  const ask: typeof fetch = async (_input, init) => {
    const pieces = [...(answers[signals.length] ?? ['end'])]
    signals.push(init?.signal ?? undefined)
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift()
        if (piece === 'end') controller.close()
        else if (piece !== undefined) controller.enqueue(encoder.encode(piece))
        else return new Promise(() => {})
      },
      cancel: (reason) => void canceled.push(reason),
    })
    return new Response(stream, { headers: { 'content-type': type } })
  }
  return { signals, canceled, fetch: ask }
}

function asking(fetch: typeof globalThis.fetch, options: FetchOptions = {}) {
  const events: GuardEvent[] = []
  const guarded = guard({
    fetch,
    idleTimeoutMs: 40,
    wait: async () => {},
    onEvent: (one) => events.push(one),
    ...options,
  })
  return { events, ask: () => guarded(CHAT, { method: 'POST', body: BODY }) }
}

async function all(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

describe('a provider that falls silent', () => {
  it('before its headers: the wait ends as one whose time has run out, and so does the request', async () => {
    let signal: AbortSignal | undefined
    const never: typeof fetch = (_input, init) => {
      signal = init?.signal ?? undefined
      return new Promise(() => {})
    }
    await expect(asking(never).ask()).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(signal?.aborted).toBe(true)
  })

  it('before the first output: the request is sent again', async () => {
    const silent = line([[], [word('well'), word('', 'stop'), 'data: [DONE]\n\n', 'end']])
    const { ask, events } = asking(silent.fetch)
    expect(await (await ask()).text()).toContain('well')
    expect(events.map(({ type }) => type)).toEqual(['rejected', 'recovered'])
    expect(silent.canceled).toHaveLength(1)
  })

  it('in the middle of an answer: the stream breaks off, and nothing is sent again', async () => {
    const silent = line([[word('half of')]])
    const { ask, events } = asking(silent.fetch)
    await expect((await ask()).text()).rejects.toMatchObject({ message: 'terminated', cause: { name: 'TimeoutError' } })
    expect(events).toMatchObject([{ type: 'incomplete', why: 'cut', output: true }])
    expect(silent.signals).toHaveLength(1)
    expect(silent.canceled).toHaveLength(1)
  })

  it('in the middle of an answer that is not streamed: the request is sent again', async () => {
    const whole = JSON.stringify({
      id: 'c',
      choices: [{ index: 0, message: { content: 'well' }, finish_reason: 'stop' }],
    })
    const silent = line([[whole.slice(0, 20)], [whole, 'end']], 'application/json')
    expect(await (await asking(silent.fetch).ask()).json()).toEqual(JSON.parse(whole))
    expect(silent.canceled).toHaveLength(1)
  })

  it('makes the official clients throw', async () => {
    const openai = new OpenAI({
      apiKey: 'k',
      maxRetries: 0,
      fetch: guard({ fetch: line([[word('half of')]]).fetch, idleTimeoutMs: 40 }),
    })
    const messages = [{ role: 'user' as const, content: 'x' }]
    const chat = await openai.chat.completions.create({ model: 'gpt-4.1', stream: true, messages })
    await expect(all(chat)).rejects.toMatchObject({ cause: { name: 'TimeoutError' } })
    const start =
      'event: message_start\ndata: {"type":"message_start","message":{"id":"m","content":[],"usage":{}}}\n\n'
    const block =
      'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"half"}}\n\n'
    const anthropic = new Anthropic({
      apiKey: 'k',
      maxRetries: 0,
      fetch: guard({ fetch: line([[start, block]]).fetch, idleTimeoutMs: 40 }),
    })
    const stream = await anthropic.messages.create({ model: 'claude-opus-4-5', max_tokens: 9, stream: true, messages })
    await expect(all(stream)).rejects.toMatchObject({ cause: { name: 'TimeoutError' } })
  })

  it('does not end a stream that is only read slowly', async () => {
    const { fetch } = line([[word('a'), word('b'), word('', 'stop'), 'data: [DONE]\n\n', 'end']])
    const reader = (await asking(fetch).ask()).body!.getReader()
    let pieces = 0
    while (!(await reader.read()).done) {
      pieces++
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    expect(pieces).toBe(4)
  })

  it('is waited for without end without a limit, and a limit is a number above 0', () => {
    expect(() => guard({ idleTimeoutMs: 0 })).toThrow(/idleTimeoutMs/)
    expect(() => guard({ idleTimeoutMs: Number.NaN })).toThrow(/idleTimeoutMs/)
    expect(() => guard()).not.toThrow()
  })

  it('the caller’s own abort still is an abort', async () => {
    const { fetch, signals } = line([[word('half of')]])
    const left = new AbortController()
    const guarded = guard({ fetch, idleTimeoutMs: 5000 })
    const response = await guarded(CHAT, { method: 'POST', body: BODY, signal: left.signal })
    left.abort(new Error('enough'))
    expect(signals[0]?.aborted).toBe(true)
    await response.body!.cancel()
  })
})
