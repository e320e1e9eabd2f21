/**
 * Answers of the contract's wire formats to one request, as JSON and as the bytes of a stream, and how our replies read
 * them.
 */
import type { Endpoint } from '../../contract/judge.ts'
import { WIRES } from '../../contract/server/answers.ts'
import { speak } from '../../contract/server/compose-reply.ts'
import { frames } from '../../contract/server/frames.ts'
import { ways } from '../../contract/server/testing/ways.ts'
import type { IncomingRequest, Reply as Script, WireEvent } from '../../contract/server/types.ts'
import type { Frame, Framing, Reply } from '../../src/core/reply.ts'
import { replies, splitter } from '../../src/dialects/replies/index.ts'

export const DIALECTS: Readonly<Record<Endpoint, string>> = {
  messages: 'anthropic-messages',
  chat: 'openai-chat',
  responses: 'openai-responses',
  gemini: 'gemini',
  converse: 'bedrock-converse',
}

export interface Place {
  readonly name: string
  readonly dialect: string
  readonly ask: IncomingRequest
}

/** Every provider at every endpoint it serves, and Gemini's list beside its events. */
export const places: readonly Place[] = ways('Hello')
  .filter((way) => way.stream)
  .flatMap(({ provider, endpoint, body }) =>
    framingsOf(endpoint).map((framing) => {
      const asked = { ...body, ...(endpoint === 'responses' ? { include: ['reasoning.encrypted_content'] } : {}) }
      const ask = {
        provider,
        endpoint,
        model: modelOf(endpoint, body),
        stream: true,
        framing,
        body: asked,
        seed: 's',
        tokens: 9,
      }
      return { name: `${provider} ${endpoint}${framing === 'array' ? ' list' : ''}`, dialect: DIALECTS[endpoint], ask }
    }),
  )

function framingsOf(endpoint: Endpoint): IncomingRequest['framing'][] {
  if (endpoint === 'gemini') return ['sse', 'array']
  return [endpoint === 'converse' ? 'eventstream' : 'sse']
}

function modelOf(endpoint: Endpoint, body: Readonly<Record<string, unknown>>): string {
  const named = { gemini: 'gemini-3-pro', converse: 'anthropic.claude-sonnet-4' } as Record<string, string>
  return named[endpoint] ?? String(body['model'])
}

const weather = (city: string, id?: string) => ({ name: 'weather', arguments: { city }, ...(id ? { id } : {}) })

/** Replies of a model. Ids have the length that Mistral requires. */
export const scripts: Readonly<Record<string, Script>> = {
  text: { text: 'Déjà vu 🙂, said the bridge.\n\nThen "nothing" — \\ or so.' },
  'one word': { text: 'Yes.', chunkBytes: 1 },
  reasoning: { reasoning: 'Hm, née? 🤔 Let me see.', text: 'Yes.', chunkBytes: 5 },
  call: { calls: [weather('Zürich')], chunkBytes: 3 },
  calls: {
    text: 'I ask.',
    calls: [weather('Łódź'), weather('São Paulo'), { name: 'weather', arguments: {} }],
    chunkBytes: 4,
  },
  all: {
    reasoning: { text: 'Both cities, then.', signature: 'gAAAABc2lnbmVkIGhlcmUgYW5kIG5vdw==' },
    text: 'One moment…',
    calls: [weather('Zürich "old town"', 'call00001'), weather('{}', 'call00002')],
    chunkBytes: 1_000,
  },
  length: { text: 'It goes on and', stop: 'length' },
}

export function eventsOf(script: Script, { ask }: Place): readonly WireEvent[] {
  return WIRES[ask.endpoint].events(speak(script, ask), ask)
}

/** The frames' bytes, one array an event. */
export function bytesOf(script: Script, place: Place): Uint8Array[] {
  return frames(eventsOf(script, place), place.ask).map((frame) => frame.bytes)
}

export function wholeOf(script: Script, { ask }: Place): unknown {
  return JSON.parse(JSON.stringify(WIRES[ask.endpoint].whole(speak(script, ask), { ...ask, stream: false })))
}

export function fromJson(script: Script, place: Place): Reply {
  return replies[place.dialect]!.json(wholeOf(script, place))
}

export function fromChunks(chunks: Iterable<Uint8Array>, dialect: string, framing: Framing): Reply {
  const assembler = replies[dialect]!.stream()
  for (const frame of split(chunks, framing)) assembler.push(frame)
  return assembler.end()
}

export function framesOf(chunks: Iterable<Uint8Array>, { ask }: Place): Frame[] {
  return split(chunks, ask.framing)
}

function split(chunks: Iterable<Uint8Array>, framing: Framing): Frame[] {
  const cut = splitter(framing)
  const frames: Frame[] = []
  for (const chunk of chunks) frames.push(...cut.push(chunk))
  return [...frames, ...cut.end()]
}

export function read(chunks: Iterable<Uint8Array>, { dialect, ask }: Place): Reply {
  return fromChunks(chunks, dialect, ask.framing)
}

export function join(arrays: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(arrays))
}

/** Two answers that differ only in what a stream cannot express: absent and empty text, and where a text was cut. */
export function bodyOf(reply: Reply): unknown {
  return reply.messages.map((message) => {
    const { content, parts } = message as { content?: unknown; parts?: readonly Record<string, unknown>[] }
    if (content === null) return { ...(message as object), content: '' }
    return parts ? { ...(message as object), parts: joined(parts) } : message
  })
}

function joined(parts: readonly Record<string, unknown>[]): unknown[] {
  const out: Record<string, unknown>[] = []
  for (const part of parts) {
    const last = out.at(-1)
    const plain = last && typeof last['text'] === 'string' && last['thoughtSignature'] === undefined
    if (plain && typeof part['text'] === 'string' && last['thought'] === part['thought'])
      out[out.length - 1] = { ...last, ...part, text: last['text'] + part['text'] }
    else out.push(part)
  }
  return out
}
