import { describe, expect, it } from 'vitest'
import type { Frame, Reply } from '../../core/reply.ts'
import { eventstreamFrame } from '../replies/eventstream.ts'
import { splitter } from '../replies/frames.ts'
import { bedrockConverseReply as form } from './reply.ts'

type Event = readonly [name: string, data: object]

function streamed(events: readonly Event[], ...last: Frame[]): Reply {
  const cut = splitter('eventstream')
  const assembler = form.stream()
  for (const [name, data] of events)
    for (const frame of cut.push(eventstreamFrame('event', name, data))) assembler.push(frame)
  for (const frame of last) assembler.push(frame)
  return assembler.end()
}

const start = (contentBlockIndex: number, begin: object): Event => [
  'contentBlockStart',
  { contentBlockIndex, start: begin },
]
const delta = (contentBlockIndex: number, piece: object): Event => [
  'contentBlockDelta',
  { contentBlockIndex, delta: piece, p: 'abc' },
]
const close = (contentBlockIndex: number): Event => ['contentBlockStop', { contentBlockIndex }]
const stop = (stopReason: string): Event => ['messageStop', { stopReason }]
const use = (index: number, ...pieces: string[]): Event[] => [
  start(index, { toolUse: { toolUseId: `t${index}`, name: 'one' } }),
  ...pieces.map((input) => delta(index, { toolUse: { input } })),
  close(index),
]
const contentOf = (reply: Reply) => (reply.messages[0] as { content: unknown[] } | undefined)?.content

describe('blocks', () => {
  it('of every kind are returned unchanged', () => {
    const citation = { title: 't', location: { web: { url: 'u' } } }
    const reply = streamed([
      ['messageStart', { role: 'assistant' }],
      delta(0, { reasoningContent: { text: 'H' } }),
      delta(0, { reasoningContent: { text: 'm' } }),
      delta(0, { reasoningContent: { signature: 'sig' } }),
      close(0),
      delta(1, { reasoningContent: { redactedContent: btoa('ab') } }),
      delta(1, { reasoningContent: { redactedContent: btoa('c') } }),
      close(1),
      delta(2, { text: 'One ' }),
      delta(3, { text: 'cited' }),
      delta(2, { text: 'two' }),
      delta(3, { citation }),
      close(2),
      close(3),
      ...use(4, '{"a"', ':1}'),
      ...use(5),
      stop('tool_use'),
      ['metadata', { usage: { inputTokens: 3, outputTokens: 4, cacheReadInputTokens: 5, cacheWriteInputTokens: 6 } }],
    ])
    expect(contentOf(reply)).toEqual([
      { reasoningContent: { reasoningText: { text: 'Hm', signature: 'sig' } } },
      { reasoningContent: { redactedContent: btoa('abc') } },
      { text: 'One two' },
      { citationsContent: { content: [{ text: 'cited' }], citations: [citation] } },
      { toolUse: { toolUseId: 't4', name: 'one', input: { a: 1 } } },
      { toolUse: { toolUseId: 't5', name: 'one', input: {} } },
    ])
    expect(reply).toMatchObject({
      complete: true,
      stop: 'tool_use',
      broken: [],
      usage: { input: 14, output: 4, cached: 5, written: 6 },
    })
    expect(reply.calls.map(({ id, arguments: args }) => [id, args])).toEqual([
      ['t4', { a: 1 }],
      ['t5', {}],
    ])
  })

  it('of a call whose input does not parse are broken', () => {
    const reply = streamed([delta(0, { text: 'I ask.' }), close(0), ...use(1, '{"a": "b'), stop('max_tokens')])
    expect(reply).toMatchObject({
      complete: true,
      calls: [],
      broken: [{ id: 't1', text: '{"a": "b', why: 'arguments' }],
    })
    expect(contentOf(reply)).toEqual([{ text: 'I ask.' }])
    expect(streamed([...use(0), stop('max_tokens')])).toMatchObject({
      calls: [],
      broken: [{ why: 'arguments' }],
      messages: [],
    })
  })

  it('that Bedrock runs itself are not returned as calls', () => {
    const server = { toolUse: { toolUseId: 's', name: 'grounding', type: 'server_tool_use' } }
    const reply = streamed([
      start(0, server),
      delta(0, { toolUse: { input: '{}' } }),
      close(0),
      start(1, { toolResult: { toolUseId: 's', type: 'grounding' } }),
      delta(1, { toolResult: [{ text: 'x' }] }),
      close(1),
      stop('end_turn'),
    ])
    expect(reply).toMatchObject({ complete: true, calls: [], broken: [] })
    expect(contentOf(reply)).toMatchObject([
      { toolUse: { input: {} } },
      { toolResult: { toolUseId: 's', content: [{ text: 'x' }] } },
    ])
  })
})

describe('the end', () => {
  it('that did not come leaves text and signed reasoning', () => {
    const signed = [
      delta(0, { reasoningContent: { text: 'Hm' } }),
      delta(0, { reasoningContent: { signature: 's' } }),
      close(0),
    ]
    const unsigned = [delta(1, { reasoningContent: { text: 'Hm' } }), close(1)]
    const reply = streamed([
      ...signed,
      ...unsigned,
      delta(2, { text: 'so far' }),
      ...use(3, '{}'),
      delta(4, { reasoningContent: { text: 'x' } }),
    ])
    expect(reply).toMatchObject({ complete: false, why: 'cut', calls: [], broken: [{ id: 't3', why: 'unfinished' }] })
    expect(contentOf(reply)).toMatchObject([
      { reasoningContent: { reasoningText: { signature: 's' } } },
      { text: 'so far' },
    ])
  })

  it('is an error with an exception, and malformed with a broken frame or a spoilt answer', () => {
    const events = [delta(0, { text: 'a' }), stop('end_turn')]
    const exception: Frame = { event: 'throttlingException', data: '{"message":"x"}', kind: 'exception' }
    expect(streamed(events, exception)).toMatchObject({
      why: 'error',
      error: { throttlingException: { message: 'x' } },
      messages: [{ content: [{ text: 'a' }] }],
    })
    expect(streamed(events, { data: '', kind: 'broken' })).toMatchObject({ complete: false, why: 'malformed' })
    expect(streamed([delta(0, { text: 'a' }), stop('malformed_tool_use')])).toMatchObject({
      complete: false,
      why: 'malformed',
    })
  })
})
