/**
 * Bedrock's `invoke-with-response-stream`: the family's own events in base64, inside AWS's binary frames. Guarded as
 * any other stream.
 */
import { BedrockRuntimeClient, InvokeModelWithResponseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import { FetchHttpHandler } from '@smithy/fetch-http-handler'
import { describe, expect, it } from 'vitest'
import { taken } from '../../contract/server/testing/ways.ts'
import type { Reply } from '../core/reply.ts'
import { eventstreamFrame } from '../dialects/replies/eventstream.ts'
import { type FetchOptions, type GuardEvent, guard } from './index.ts'

const URL_INVOKE =
  'https://bedrock-runtime.eu-west-1.amazonaws.com/model/anthropic.claude-v2/invoke-with-response-stream'
const BODY = JSON.stringify({
  anthropic_version: 'bedrock-2023-05-31',
  max_tokens: 9,
  messages: [{ role: 'user', content: 'x' }],
})

const EVENTS = [
  { type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Déjà ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'vu 😀' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
  { type: 'message_stop' },
]
const chunk = (event: object) =>
  eventstreamFrame('event', 'chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64'), p: 'abc' })
const FRAMES = EVENTS.map(chunk)

/** Each request gets the next answer; one that breaks off ends in an error. */
function upstream(answers: readonly { pieces: readonly Uint8Array[]; breaks?: boolean }[]) {
  let asked = 0
  const ask: typeof fetch = async () => {
    const { pieces, breaks } = answers[Math.min(asked++, answers.length - 1)]!
    const rest = [...pieces]
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = rest.shift()
        if (piece) controller.enqueue(piece)
        else if (breaks) controller.error(new TypeError('terminated'))
        else controller.close()
      },
    })
    return new Response(stream, { headers: { 'content-type': 'application/vnd.amazon.eventstream' } })
  }
  return { fetch: ask, asked: () => asked }
}

async function answered(fetch: typeof globalThis.fetch, options: FetchOptions = {}) {
  const events: GuardEvent[] = []
  const replies: Reply[] = []
  const guarded = guard({
    fetch,
    wait: async () => {},
    onEvent: (one) => events.push(one),
    onReply: (reply) => replies.push(reply),
    ...options,
  })
  const { bytes, broken } = await taken(await guarded(URL_INVOKE, { method: 'POST', body: BODY }))
  return { bytes: Buffer.from(bytes), broken, types: events.map(({ type }) => type), replies }
}

describe('a stream of invoke', () => {
  it('is passed on byte for byte, in any pieces, and assembled', async () => {
    const all = Buffer.concat(FRAMES)
    for (const size of [1, 7, 100, all.length]) {
      const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
        all.subarray(i * size, (i + 1) * size),
      )
      const { bytes, types, replies } = await answered(upstream([{ pieces }]).fetch)
      expect(bytes.equals(all)).toBe(true)
      expect(types).toEqual([])
      expect(replies).toMatchObject([
        { complete: true, messages: [{ role: 'assistant', content: [{ type: 'text', text: 'Déjà vu 😀' }] }] },
      ])
    }
  })

  it('has its end recognized if the reply is not needed', async () => {
    const seen: GuardEvent[] = []
    const ask = guard({ fetch: upstream([{ pieces: FRAMES }]).fetch, onEvent: (one) => seen.push(one) })
    const response = await ask(URL_INVOKE, { method: 'POST', body: BODY })
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.concat(FRAMES))).toBe(true)
    expect(seen).toEqual([])
  })

  it('that breaks before any output is requested again', async () => {
    const { fetch, asked } = upstream([{ pieces: FRAMES.slice(0, 2), breaks: true }, { pieces: FRAMES }])
    const { bytes, types } = await answered(fetch)
    expect(bytes.equals(Buffer.concat(FRAMES))).toBe(true)
    expect(types).toEqual(['rejected', 'recovered'])
    expect(asked()).toBe(2)
  })

  it.each([
    ['breaks', true],
    ['ends politely', false],
  ])('that %s in its middle makes the official client throw', async (_, breaks) => {
    const half = Buffer.concat(FRAMES.slice(0, 4))
    const came = half.subarray(0, half.length - 9)
    const { fetch, asked } = upstream([{ pieces: [came], breaks }])
    const { bytes, broken, types, replies } = await answered(fetch)
    expect([bytes.equals(came), broken]).toEqual([true, true])
    expect(types).toEqual(['incomplete'])
    expect(replies[0]).toMatchObject({ complete: false, why: 'cut', calls: [] })
    expect(asked()).toBe(1)
    const { texts, error } = await asClient(guard({ fetch: upstream([{ pieces: [half], breaks }]).fetch }))
    expect(texts).toEqual(['Déjà ', 'vu 😀'])
    expect(error).toMatchObject({ message: 'terminated' })
  })
})

/** What the official client makes of it. */
async function asClient(ask: typeof fetch): Promise<{ texts: string[]; error: unknown }> {
  const texts: string[] = []
  const before = globalThis.fetch
  globalThis.fetch = ask
  try {
    const client = new BedrockRuntimeClient({
      region: 'eu-west-1',
      token: { token: 'none' },
      authSchemePreference: ['httpBearerAuth'],
      maxAttempts: 1,
      requestHandler: new FetchHttpHandler(),
    })
    const command = new InvokeModelWithResponseStreamCommand({ modelId: 'anthropic.claude-v2', body: BODY })
    for await (const { chunk } of (await client.send(command)).body!) {
      const event = JSON.parse(Buffer.from(chunk!.bytes!).toString())
      if (event.delta?.text) texts.push(event.delta.text)
    }
    return { texts, error: undefined }
  } catch (error) {
    return { texts, error }
  } finally {
    globalThis.fetch = before
  }
}
