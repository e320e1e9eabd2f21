/**
 * Small request bodies that are expensive to read: each shape in each dialect, of about the given size.
 */
import { gzipSync } from 'node:zlib'

/** What a dialect calls things. A piece is the JSON text of one message, item or part. */
interface Wire {
  readonly name: string
  readonly path: string
  readonly beside: string
  readonly key: string
  message(content: string, role?: 'user' | 'assistant'): string
  text(text: string): string
  call(id: string, args?: string): string
  result(id: string, content?: string): string
}

const messagesOf = (content: string, role = 'user') => `{"role":"${role}","content":[${content}]}`

const wires: readonly Wire[] = [
  {
    name: 'openai-chat',
    path: '/openai/v1/chat/completions',
    beside: '"model":"gpt-5",',
    key: 'messages',
    message: messagesOf,
    text: (text) => `{"type":"text","text":${text}}`,
    call: (id, args = '"{}"') =>
      `{"role":"assistant","content":null,"tool_calls":[{"id":"${id}","type":"function","function":{"name":"f","arguments":${args}}}]}`,
    result: (id, content = '"1"') => `{"role":"tool","tool_call_id":"${id}","content":${content}}`,
  },
  {
    name: 'openai-responses',
    path: '/openai/v1/responses',
    beside: '"model":"gpt-5",',
    key: 'input',
    message: messagesOf,
    text: (text) => `{"type":"input_text","text":${text}}`,
    call: (id, args = '"{}"') => `{"type":"function_call","call_id":"${id}","name":"f","arguments":${args}}`,
    result: (id, content = '"1"') => `{"type":"function_call_output","call_id":"${id}","output":${content}}`,
  },
  {
    name: 'anthropic-messages',
    path: '/anthropic/v1/messages',
    beside: '"model":"claude-opus-4-6","max_tokens":4096,',
    key: 'messages',
    message: messagesOf,
    text: (text) => `{"type":"text","text":${text}}`,
    call: (id, args = '{}') => messagesOf(`{"type":"tool_use","id":"${id}","name":"f","input":${args}}`, 'assistant'),
    result: (id, content = '"1"') => messagesOf(`{"type":"tool_result","tool_use_id":"${id}","content":${content}}`),
  },
  {
    name: 'gemini',
    path: '/gemini/v1beta/models/gemini-2.5-pro:generateContent',
    beside: '',
    key: 'contents',
    message: (content, role) => `{"role":"${role === 'assistant' ? 'model' : 'user'}","parts":[${content}]}`,
    text: (text) => `{"text":${text}}`,
    call: (id, args = '{}') => `{"role":"model","parts":[{"functionCall":{"id":"${id}","name":"f","args":${args}}}]}`,
    result: (id, content = '{}') =>
      `{"role":"user","parts":[{"functionResponse":{"id":"${id}","name":"f","response":${content}}}]}`,
  },
  {
    name: 'bedrock-converse',
    path: '/bedrock/model/anthropic.claude-sonnet-4/converse',
    beside: '',
    key: 'messages',
    message: messagesOf,
    text: (text) => `{"text":${text}}`,
    call: (id, args = '{}') => messagesOf(`{"toolUse":{"toolUseId":"${id}","name":"f","input":${args}}}`, 'assistant'),
    result: (id, content = '[]') => messagesOf(`{"toolResult":{"toolUseId":"${id}","content":${content}}}`),
  },
]

type Shape = (wire: Wire, bytes: number) => string

/** A list of the same piece, or of one made from a number, up to so many bytes. */
function many(bytes: number, piece: string | ((i: number) => string)): string {
  const first = typeof piece === 'string' ? piece : piece(100_000)
  const count = Math.max(1, Math.floor(bytes / (first.length + 1)))
  if (typeof piece === 'string') return `${`${piece},`.repeat(count - 1)}${piece}`
  return Array.from({ length: count }, (_, i) => piece(i)).join(',')
}

const entries =
  (piece: string): Shape =>
  (wire, bytes) =>
    wire.message(many(bytes, piece))

const items =
  (piece: string): Shape =>
  (_wire, bytes) =>
    many(bytes, piece)

const nested = (open: string, close: string, bytes: number) => {
  const depth = Math.min(Math.floor(bytes / (open.length + close.length)), 1e6)
  return `${open.repeat(depth)}1${close.repeat(depth)}`
}

const rest = 'Say more about it, please. The words are plain and there are some of them, as in any text.'

const shapes: Readonly<Record<string, Shape>> = {
  'part of numbers': entries('1'),
  'part of empty objects': entries('{}'),
  'part of empty lists': entries('[]'),
  'part of nulls': entries('null'),
  'part of empty strings': entries('""'),
  'part of booleans': entries('true'),
  'messages of numbers': items('1'),
  'messages of empty objects': items('{}'),
  'messages of nulls': items('null'),
  'messages of empty lists': items('[]'),
  'messages of empty strings': items('""'),
  'tiny messages': (wire, bytes) => many(bytes, wire.message(wire.text('"a"'))),
  'tiny messages of one role': (wire, bytes) => many(bytes, wire.message(wire.text('"a"'), 'assistant')),
  'messages with an unknown role': items('{"role":"x","content":"a"}'),
  'nested lists': (wire, bytes) => wire.message(nested('[', ']', bytes)),
  'nested objects': (wire, bytes) => wire.message(nested('{"a":', '}', bytes)),
  'nested content': (wire, bytes) => wire.message(nested('{"content":[', ']}', bytes)),
  'calls without results': (wire, bytes) => many(bytes, (i) => wire.call(`c${i}`)),
  'results without calls': (wire, bytes) => many(bytes, (i) => wire.result(`c${i}`)),
  'calls with one id': (wire, bytes) => many(bytes, wire.call('c')),
  'results with one id': (wire, bytes) => many(bytes, wire.result('c')),
  'pairs with one id': (wire, bytes) => many(bytes, `${wire.call('c')},${wire.result('c')}`),
  'all calls, then all results': (wire, bytes) =>
    `${many(bytes / 2, (i) => wire.call(`c${i}`))},${many(bytes / 2, (i) => wire.result(`c${i}`))}`,
  'all results, then all calls': (wire, bytes) =>
    `${many(bytes / 2, (i) => wire.result(`c${i}`))},${many(bytes / 2, (i) => wire.call(`c${i}`))}`,
  'results in reverse': (wire, bytes) => {
    const count = Math.floor(bytes / (wire.call('c10000').length + wire.result('c10000').length + 2))
    const calls = Array.from({ length: count }, (_, i) => wire.call(`c${i}`))
    return [...calls, ...calls.map((_, i) => wire.result(`c${count - i}`))].join(',')
  },
  'long ids': (wire, bytes) => many(bytes, (i) => wire.call(`${'x'.repeat(200)}${i}`)),
  'a result of numbers': (wire, bytes) => `${wire.call('c')},${wire.result('c', `[${many(bytes, '1')}]`)}`,
  'a result of empty objects': (wire, bytes) => `${wire.call('c')},${wire.result('c', `[${many(bytes, '{}')}]`)}`,
  'arguments of numbers': (wire, bytes) => wire.call('c', `[${many(bytes, '1')}]`),
  'unknown keys': (wire, bytes) =>
    `{"role":"user",${many(bytes, (i) => `"k${i}":1`)},"content":${JSON.stringify('a')}},${wire.message(wire.text('"a"'))}`,
  'unknown keys on parts': (wire, bytes) => wire.message(many(bytes, (i) => `{"k${i}":1}`)),
  'texts in one message': (wire, bytes) => wire.message(many(bytes, wire.text('"a"'))),
  'empty texts': (wire, bytes) => wire.message(many(bytes, wire.text('""'))),
  escapes: (wire, bytes) => wire.message(wire.text(`"${'\\u0041\\n'.repeat(bytes / 8)}"`)),
  'lone surrogates': (wire, bytes) => wire.message(wire.text(`"${'\\ud800'.repeat(bytes / 6)}"`)),
  'texts of lone surrogates': (wire, bytes) => wire.message(many(bytes, wire.text('"\\ud800"'))),
  'long numbers': (wire, bytes) => wire.message(many(bytes, '1'.repeat(100_000))),
  'long numbers in arguments': (wire, bytes) => wire.call('c', `{"n":[${many(bytes, '9'.repeat(100_000))}]}`),
  'control characters': (wire, bytes) => wire.message(many(bytes, wire.text('"\\u0000\\u0007"'))),
  'one long text': (wire, bytes) => wire.message(wire.text(`"${'a'.repeat(bytes)}"`)),
  blanks: (wire, bytes) => wire.message(wire.text(`"${' '.repeat(bytes)}"`)),
  'one key again and again': (_wire, bytes) => `{"role":"user",${many(bytes, '"content":[]')}}`,
  'unknown parts': (wire, bytes) => wire.message(many(bytes, '{"type":"x"}')),
  images: (wire, bytes) => wire.message(many(bytes, '{"type":"image_url","image_url":{"url":""}}')),
  'calls in one message': (_wire, bytes) => `{"role":"assistant","content":null,"tool_calls":[${many(bytes, '{}')}]}`,
}

/** A valid conversation: turns with a call, its result and texts, of `length` characters each. */
function valid(wire: Wire, bytes: number, length: number): string {
  const words = JSON.stringify(rest.repeat(Math.ceil(length / rest.length)).slice(0, length))
  const content =
    wire.name === 'gemini' ? `{"output":${words}}` : wire.name === 'bedrock-converse' ? `[${wire.text(words)}]` : words
  const answer = wire.name === 'openai-responses' ? `{"type":"output_text","text":${words}}` : wire.text(words)
  const turns = many(bytes, (i) =>
    [
      wire.message(wire.text(words)),
      wire.call(`toolu_${i}`),
      wire.result(`toolu_${i}`, content),
      wire.message(answer, 'assistant'),
    ].join(','),
  )
  return `${turns},${wire.message(wire.text(words))}`
}

export interface Body {
  readonly dialect: string
  readonly shape: string
  readonly path: string
  readonly text: string
  readonly isValid: boolean
}

/** Every shape in every dialect, one at a time: all together would fill the memory. */
export function* bodies(bytes: number, only = /./): Generator<Body> {
  for (const wire of wires) {
    const { name: dialect, path, beside, key } = wire
    const body = (shape: string, history: string, isValid: boolean): Body => {
      return { dialect, shape, path, isValid, text: `{${beside}"${key}":[${history}]}` }
    }
    yield body('valid', valid(wire, bytes, 400), true)
    yield body('valid, short texts', valid(wire, bytes, 4), true)
    for (const [shape, made] of Object.entries(shapes))
      if (only.test(`${dialect} ${shape}`)) yield body(shape, made(wire, bytes), false)
  }
}

export function packed({ text }: Body): Uint8Array {
  return gzipSync(text)
}
