/**
 * Streams with missing or broken pieces, in every dialect whose stream has such pieces: Gemini sends whole calls, so
 * only broken streams concern it. If the id, the end or part of the arguments is missing, nothing is run. Ids in
 * brackets number the cases of earlier agents' test suites, so that none gets lost; each title describes its case.
 */
import { describe, expect, it } from 'vitest'
import type { Frame, Reply } from '../../src/core/index.ts'
import { replies, splitter } from '../../src/dialects/replies/index.ts'

/** The events of a dialect. */
interface Speech {
  begin(): readonly Frame[]
  start(at: number, id: string, name: string): Frame
  piece(at: number, text: string): Frame
  stop(at: number, id: string, name: string, text: string): readonly Frame[]
  end(): readonly Frame[]
}

const event = (name: string, data: object): Frame => ({ event: name, data: JSON.stringify({ type: name, ...data }) })
const plain = (data: object): Frame => ({ data: JSON.stringify(data) })
const choice = (delta: object, finish_reason: string | null = null) =>
  plain({ choices: [{ index: 0, delta, finish_reason }] })
const named = (event: string, data: object): Frame => ({ event, data: JSON.stringify(data) })

const speeches: Readonly<Record<string, Speech>> = {
  'openai-chat': {
    begin: () => [choice({ role: 'assistant' })],
    start: (index, id, name) =>
      choice({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    piece: (index, text) => choice({ tool_calls: [{ index, function: { arguments: text } }] }),
    stop: () => [],
    end: () => [choice({}, 'tool_calls'), { data: '[DONE]' }],
  },
  'openai-responses': {
    begin: () => [event('response.created', { response: { id: 'resp_1', status: 'in_progress', output: [] } })],
    start: (output_index, id, name) =>
      event('response.output_item.added', {
        output_index,
        item: { type: 'function_call', id: `fc_${output_index}`, call_id: id, name, arguments: '' },
      }),
    piece: (output_index, delta) =>
      event('response.function_call_arguments.delta', { item_id: `fc_${output_index}`, output_index, delta }),
    stop: (output_index, id, name, text) => [
      event('response.output_item.done', {
        output_index,
        item: {
          type: 'function_call',
          id: `fc_${output_index}`,
          call_id: id,
          name,
          arguments: text,
          status: 'completed',
        },
      }),
    ],
    end: () => [event('response.completed', { response: { id: 'resp_1', status: 'completed' } })],
  },
  'anthropic-messages': {
    begin: () => [event('message_start', { message: { id: 'msg_1', role: 'assistant', content: [] } })],
    start: (index, id, name) =>
      event('content_block_start', { index, content_block: { type: 'tool_use', id, name, input: {} } }),
    piece: (index, partial_json) =>
      event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } }),
    stop: (index) => [event('content_block_stop', { index })],
    end: () => [event('message_delta', { delta: { stop_reason: 'tool_use' } }), event('message_stop', {})],
  },
  'bedrock-converse': {
    begin: () => [named('messageStart', { role: 'assistant' })],
    start: (contentBlockIndex, toolUseId, name) =>
      named('contentBlockStart', { contentBlockIndex, start: { toolUse: { toolUseId, name } } }),
    piece: (contentBlockIndex, input) =>
      named('contentBlockDelta', { contentBlockIndex, delta: { toolUse: { input } } }),
    stop: (contentBlockIndex) => [named('contentBlockStop', { contentBlockIndex })],
    end: () => [named('messageStop', { stopReason: 'tool_use' })],
  },
}

function assembled(dialect: string, frames: readonly Frame[]): Reply {
  const assembler = replies[dialect]!.stream()
  for (const frame of frames) assembler.push(frame)
  return assembler.end()
}

const runs = (reply: Reply) => reply.calls.map(({ id, name, text }) => `${id} ${name} ${text}`).sort()

describe.each(Object.entries(speeches))('%s', (dialect, say) => {
  const one = (at: number, id: string, pieces: readonly string[]) => [
    say.start(at, id, 'look'),
    ...pieces.map((piece) => say.piece(at, piece)),
    ...say.stop(at, id, 'look', pieces.join('')),
  ]

  it('stream: interleaved deltas are kept apart, by index where they have no id', () => {
    const frames = [
      ...say.begin(),
      say.start(0, 'a', 'look'),
      say.start(1, 'b', 'look'),
      say.piece(1, '{"at":'),
      say.piece(0, '{"at":"O'),
      say.piece(1, '2}'),
      say.piece(0, 'slo"}'),
      ...say.stop(0, 'a', 'look', '{"at":"Oslo"}'),
      ...say.stop(1, 'b', 'look', '{"at":2}'),
      ...say.end(),
    ]
    expect(runs(assembled(dialect, frames))).toEqual(['a look {"at":"Oslo"}', 'b look {"at":2}'])
  })

  it('stream: an end of a call is matched by what it names, not by order', () => {
    const frames = [
      ...say.begin(),
      say.start(0, 'a', 'look'),
      say.start(1, 'b', 'look'),
      say.piece(0, '{"n":1}'),
      say.piece(1, '{"n":2}'),
      ...say.stop(1, 'b', 'look', '{"n":2}'),
      ...say.stop(0, 'a', 'look', '{"n":1}'),
      ...say.end(),
    ]
    expect(runs(assembled(dialect, frames))).toEqual(['a look {"n":1}', 'b look {"n":2}'])
  })

  it('stream: a delta without its call makes no call that may run', () => {
    const reply = assembled(dialect, [
      ...say.begin(),
      say.piece(7, '{"x":1}'),
      ...one(0, 'a', ['{"n":1}']),
      ...say.end(),
    ])
    expect(runs(reply).every((run) => run === 'a look {"n":1}')).toBe(true)
  })

  it('stream: a delta before its start is never half a call', () => {
    const frames = [...say.begin(), say.piece(0, '{"n"'), ...one(0, 'a', [':1}']), ...say.end()]
    for (const run of runs(assembled(dialect, frames))) expect(['a look {"n":1}', 'a look :1}']).toContain(run)
    expect(assembled(dialect, frames).calls.every(({ arguments: input }) => JSON.stringify(input) === '{"n":1}')).toBe(
      true,
    )
  })

  it('stream: an end without a start runs only what it contains itself', () => {
    const frames = [...say.begin(), ...say.stop(0, 'a', 'look', '{"n":1}'), ...say.end()]
    expect(runs(assembled(dialect, frames))).toEqual(dialect === 'openai-responses' ? ['a look {"n":1}'] : [])
  })

  it.each(['{"n":', '[1]', '"n"', '{"n":1}}'])('stream: arguments that read %s are broken, never {} [OD10]', (text) => {
    const reply = assembled(dialect, [...say.begin(), ...one(0, 'a', [text]), ...say.end()])
    expect(reply.calls).toEqual([])
    expect(JSON.stringify(reply.messages)).not.toContain('"a"')
  })

  it.each(['', 'a'])('stream: a call with the id "%s" and no name, or with neither, is not run', (id) => {
    const frames = [
      ...say.begin(),
      say.start(0, id, ''),
      say.piece(0, '{}'),
      ...say.stop(0, id, '', '{}'),
      ...say.end(),
    ]
    expect(assembled(dialect, frames).calls).toEqual([])
  })

  it('stream: without its end nothing is run, even if the calls are complete', () => {
    expect(assembled(dialect, [...say.begin(), ...one(0, 'a', ['{"n":1}'])])).toMatchObject({
      complete: false,
      calls: [],
    })
  })

  it('a broken stream: an event of an unknown type changes nothing', () => {
    const odd = [named('unknown.event', { type: 'unknown.event', delta: { text: 'x' } }), event('ping', {})]
    const frames = [...say.begin(), ...odd, ...one(0, 'a', ['{"n":1}']), ...odd, ...say.end()]
    expect(runs(assembled(dialect, frames))).toEqual(['a look {"n":1}'])
  })

  it('a broken stream: a frame that is not JSON is not an answer, and nothing of it is run', () => {
    const frames = [...say.begin(), { data: '{"half' }, ...one(0, 'a', ['{"n":1}']), ...say.end()]
    expect(assembled(dialect, frames)).toMatchObject({ complete: false, calls: [] })
  })
})

const gemini = [
  plain({
    candidates: [{ content: { role: 'model', parts: [{ functionCall: { name: 'look', args: { at: 'Ös}lo' } } }] } }],
  }),
  plain({ candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP' }] }),
]

/** A whole answer with one call, as lines of server-sent events. */
function lines(dialect: string): readonly string[] {
  const say = speeches[dialect]
  const text = '{"at":"Ös}lo"}'
  const frames = say
    ? [
        ...say.begin(),
        say.start(0, 'a', 'look'),
        ...[...text].map((one) => say.piece(0, one)),
        ...say.stop(0, 'a', 'look', text),
        ...say.end(),
      ]
    : gemini
  return frames.map(({ event, data }) => `${event ? `event: ${event}\n` : ''}data: ${data}\n\n`)
}

describe.each(['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'])('%s as bytes', (dialect) => {
  const read = (text: string, size = text.length * 4): Reply => {
    const bytes = new TextEncoder().encode(text)
    const frames = splitter('sse')
    const assembler = replies[dialect]!.stream()
    const take = (some: Iterable<Frame>) => {
      for (const frame of some) assembler.push(frame)
    }
    for (let at = 0; at < bytes.length; at += size) take(frames.push(bytes.subarray(at, at + size)))
    take(frames.end())
    return assembler.end()
  }
  const all = lines(dialect).join('')

  it.each([1, 2, 3, 7, 64, 1e6])(
    'stream: lines and arguments split every %i bytes, and several lines at once, read the same [OD11]',
    (size) => {
      const reply = read(all, size)
      expect(reply.complete).toBe(true)
      expect(reply.calls.map((call) => call.arguments)).toEqual([{ at: 'Ös}lo' }])
    },
  )

  it.each([
    ['empty data', 'data:\n\n'],
    ['a comment', ': keep-alive\n\n'],
    ['an unknown field', 'retry: 5\n\n'],
    ['an unknown type', 'event: odd\ndata: {"type":"odd"}\n\n'],
  ])('a broken stream: %s in between changes nothing', (_what, odd) => {
    expect(read(lines(dialect).join(odd)).calls).toEqual(read(all).calls)
  })

  it.each([
    ['invalid JSON', 'data: {oops}\n\n'],
    ['truncated JSON', 'data: {"choices":[{"delta":{"con\n\n'],
    ['an error as raw JSON without a prefix', '{"error":{"message":"overloaded"}}\n\n'],
  ])('a broken stream: %s is not an answer', (_what, odd) => {
    const [first, ...rest] = lines(dialect)
    expect(read([first, odd, ...rest].join(''))).toMatchObject({ complete: false, calls: [] })
  })

  it('a broken stream: [DONE] alone is not an answer', () => {
    expect(read('data: [DONE]\n\n')).toMatchObject({ complete: false, messages: [], calls: [] })
  })
})
