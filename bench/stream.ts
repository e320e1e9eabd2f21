/**
 * Streams: nanoseconds of processor time an event for splitting, for splitting and assembling, and for
 * eventsource-parser, in one run.
 * Usage: npm run build && node dist/bench/stream.js
 * Rounds take turns and the best of each counts, so that only the ratios of one run are compared.
 */
import { createParser } from 'eventsource-parser'
import type { Framing } from '../src/core/reply.ts'
import { eventstreamFrame } from '../src/dialects/replies/eventstream.ts'
import { replies, splitter } from '../src/dialects/replies/index.ts'

const EVENTS = 2_000
const ROUNDS = 25
const encoder = new TextEncoder()

interface Stream {
  readonly name: string
  readonly dialect: string
  readonly framing: Framing
  readonly chunks: readonly Uint8Array[]
  readonly events: number
}

const streams: readonly Stream[] = [
  sse('openai-chat', chat('word '), 1),
  sse('openai-chat', chat('word '), 8),
  sse('openai-chat', chat('déjà '), 1),
  sse('anthropic-messages', anthropic(), 1),
  sse('openai-responses', responses(), 1),
  sse('gemini', gemini(), 1),
  converse(),
]

for (const stream of streams) report(stream)

function report(stream: Stream): void {
  const ways: Record<string, () => void> = {
    split: () => split(stream),
    'split+assemble': () => assemble(stream),
    ...(stream.framing === 'sse'
      ? { 'eventsource-parser': () => parse(stream), '+ JSON.parse': () => parse(stream, JSON.parse) }
      : {}),
  }
  const best = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries(ways)) {
      const begin = process.cpuUsage()
      run()
      const { user, system } = process.cpuUsage(begin)
      const spent = ((user + system) * 1_000) / stream.events
      best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, spent))
    }
  }
  const bytes = stream.chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const numbers = [...best].map(([name, spent]) => `${name} ${Math.round(spent)} ns`).join(' · ')
  console.log(`${stream.name} (${Math.round(bytes / stream.events)} bytes an event): ${numbers}`)
}

function split({ framing, chunks }: Stream): void {
  const cut = splitter(framing)
  for (const chunk of chunks) cut.push(chunk)
  cut.end()
}

function assemble({ framing, chunks, dialect }: Stream): void {
  const cut = splitter(framing)
  const assembler = replies[dialect]!.stream()
  for (const chunk of chunks) for (const frame of cut.push(chunk)) assembler.push(frame)
  for (const frame of cut.end()) assembler.push(frame)
  if (!assembler.end().complete) throw new Error(`The stream of ${dialect} is not complete.`)
}

function parse({ chunks }: Stream, read?: (text: string) => unknown): void {
  const decoder = new TextDecoder()
  const parser = createParser({ onEvent: ({ data }) => read?.(data === '[DONE]' ? '0' : data) })
  for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }))
}

/** `together`: how many events come in one chunk. */
function sse(dialect: string, events: readonly string[], together: number): Stream {
  const chunks: Uint8Array[] = []
  for (let at = 0; at < events.length; at += together) {
    chunks.push(encoder.encode(events.slice(at, at + together).join('')))
  }
  const ascii = events.every((event) => event.length === encoder.encode(event).length)
  const name = `${dialect}, ${together} in a chunk${ascii ? '' : ', not ASCII'}`
  return { name, dialect, framing: 'sse', chunks, events: events.length }
}

function event(data: unknown, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
}

function times<T>(make: (index: number) => T): T[] {
  return Array.from({ length: EVENTS }, (_, index) => make(index))
}

function chat(content: string): string[] {
  const head = {
    id: 'chatcmpl-abcdefghijklmnopqrstuvwxyz123',
    object: 'chat.completion.chunk',
    created: 1760000000,
    model: 'gpt-x',
  }
  const chunk = (delta: object, finish_reason: string | null) =>
    event({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason }] })
  return [...times(() => chunk({ content }, null)), chunk({}, 'stop'), 'data: [DONE]\n\n']
}

function anthropic(): string[] {
  const named = (type: string, rest: object) => event({ type, ...rest }, type)
  return [
    named('message_start', { message: { id: 'msg_1', content: [], usage: {} } }),
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...times(() => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'word ' } })),
    named('content_block_stop', { index: 0 }),
    named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } }),
    named('message_stop', {}),
  ]
}

function responses(): string[] {
  const at = { item_id: 'msg_0123456789abcdef0123456789abcdef', output_index: 0, content_index: 0 }
  const named = (type: string, rest: object) => event({ type, sequence_number: 1234, ...rest }, type)
  return [
    ...times(() => named('response.output_text.delta', { ...at, delta: 'word ', logprobs: [] })),
    named('response.completed', { response: { id: 'resp_1', status: 'completed', output: [] } }),
  ]
}

function gemini(): string[] {
  const chunk = (text: string, rest: object) =>
    event({
      candidates: [{ content: { parts: [{ text }], role: 'model' }, ...rest, index: 0 }],
      usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
      modelVersion: 'gemini-x',
      responseId: 'abcdefghijklmnopqrstuv',
    }).replaceAll('\n', '\r\n')
  return [...times(() => chunk('word ', {})), chunk('.', { finishReason: 'STOP' })]
}

function converse(): Stream {
  const chunks = [
    ...times(() =>
      eventstreamFrame('event', 'contentBlockDelta', {
        contentBlockIndex: 0,
        delta: { text: 'word ' },
        p: 'abcdefghijklmnopqrstuvwxyz',
      }),
    ),
    eventstreamFrame('event', 'messageStop', { stopReason: 'end_turn' }),
  ]
  return {
    name: 'bedrock-converse',
    dialect: 'bedrock-converse',
    framing: 'eventstream',
    chunks,
    events: chunks.length,
  }
}
