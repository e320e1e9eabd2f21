import { describe, expect, it } from 'vitest'
import type { Reply } from '../../core/reply.ts'
import { eventstreamFrame } from '../replies/eventstream.ts'
import { splitter } from '../replies/frames.ts'
import { anthropicMessagesReply as form } from './reply.ts'

type Event = Record<string, unknown> & { type: string }

function streamed(events: readonly Event[], end: 'end' | 'cut' = 'end'): Reply {
  const assembler = form.stream()
  const all = [
    { type: 'message_start', message: { id: 'msg_1', model: 'm', content: [] } },
    ...events,
    ...(end === 'end' ? stop() : []),
  ]
  for (const event of all) assembler.push({ event: event.type, data: JSON.stringify(event) })
  return assembler.end()
}

const stop = (stop_reason = 'end_turn'): Event[] => [
  { type: 'message_delta', delta: { stop_reason } },
  { type: 'message_stop' },
]

/** A block in full: how it starts, and its deltas. */
function block(index: number, content_block: object, ...deltas: object[]): Event[] {
  return [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

const text = (index: number, text: string) =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text: text })
const use = (index: number, ...pieces: string[]) =>
  block(
    index,
    { type: 'tool_use', id: `toolu_${index}`, name: 'one', input: {} },
    ...pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  )
const contentOf = (reply: Reply) => (reply.messages[0] as { content: unknown[] } | undefined)?.content

describe('blocks', () => {
  it('of every kind are returned unchanged', () => {
    const search = [
      ...block(
        2,
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
        { type: 'input_json_delta', partial_json: '{"query":' },
        { type: 'input_json_delta', partial_json: '"x"}' },
      ),
      ...block(3, {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [{ type: 'web_search_result', encrypted_content: 'e' }],
      }),
    ]
    const reply = streamed([
      ...block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: 'H' },
        { type: 'thinking_delta', thinking: 'm ' },
        { type: 'signature_delta', signature: 'sig==' },
      ),
      ...block(1, { type: 'redacted_thinking', data: 'xyz' }),
      ...search,
      ...block(
        4,
        { type: 'text', text: '', citations: [] },
        { type: 'citations_delta', citation: { url: 'u' } },
        { type: 'text_delta', text: 'Yes. ' },
      ),
      ...block(5, { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'x', server_name: 's', input: {} }),
      ...block(6, { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: [] }),
      ...block(7, { type: 'compaction', content: null }, { type: 'compaction_delta', content: 'summary' }),
      ...block(8, { type: 'something_new', state: 'a' }, { type: 'new_delta', state: 'b' }),
      ...use(9, '', '{"a"', ':1}'),
    ])
    expect(reply).toMatchObject({
      complete: true,
      broken: [],
      calls: [{ id: 'toolu_9', name: 'one', arguments: { a: 1 }, text: '{"a":1}' }],
    })
    expect(contentOf(reply)).toEqual([
      { type: 'thinking', thinking: 'Hm ', signature: 'sig==' },
      { type: 'redacted_thinking', data: 'xyz' },
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [{ type: 'web_search_result', encrypted_content: 'e' }],
      },
      { type: 'text', text: 'Yes. ', citations: [{ url: 'u' }] },
      { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'x', server_name: 's', input: {} },
      { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: [] },
      { type: 'compaction', content: 'summary' },
      { type: 'something_new', state: 'b' },
      { type: 'tool_use', id: 'toolu_9', name: 'one', input: { a: 1 } },
    ])
  })

  it('that overlap are distinguished by their index', () => {
    const first = use(1, '{"a":1}')
    const second = use(0, '{"b":2}')
    const reply = streamed([first[0]!, second[0]!, first[1]!, second[1]!, second[2]!, first[2]!])
    expect(contentOf(reply)).toMatchObject([{ input: { b: 2 } }, { input: { a: 1 } }])
  })

  it('of blank text are left out, and so is thinking that nothing follows', () => {
    const thinking = block(0, { type: 'thinking', thinking: 'Hm', signature: 's' })
    expect(contentOf(streamed([...text(0, '\n\n'), ...use(1)]))).toMatchObject([{ type: 'tool_use', input: {} }])
    expect(streamed([...thinking, ...text(1, ' ')]).messages).toEqual([])
  })

  it('of a call whose input does not parse are broken', () => {
    const cut = [...text(0, 'I ask.'), ...use(1, '{"a": "b')]
    const reply = streamed([...cut, ...stop('max_tokens')], 'cut')
    expect(reply).toMatchObject({
      complete: true,
      stop: 'max_tokens',
      calls: [],
      broken: [{ id: 'toolu_1', text: '{"a": "b', why: 'arguments' }],
    })
    expect(contentOf(reply)).toEqual([{ type: 'text', text: 'I ask.' }])
    const whole = form.json({
      content: [{ type: 'tool_use', id: 'a', name: 'b', input: '{"a' }],
      stop_reason: 'max_tokens',
    })
    expect(whole).toMatchObject({ calls: [], broken: [{ text: '{"a', why: 'arguments' }], messages: [] })
  })
})

describe('the end', () => {
  it('needs a stop reason, message_stop, and no open block', () => {
    expect(streamed(text(0, 'a')).complete).toBe(true)
    expect(streamed([...text(0, 'a'), { type: 'message_stop' }], 'cut')).toMatchObject({ complete: false, why: 'cut' })
    expect(streamed([...text(0, 'a'), stop()[0]!], 'cut')).toMatchObject({ complete: false, why: 'cut' })
    expect(streamed(text(0, 'a').slice(0, 2))).toMatchObject({ complete: false, why: 'cut' })
  })

  it('that did not come leaves text, signed thinking and finished pairs', () => {
    const thinking = (index: number, signature: string) => block(index, { type: 'thinking', thinking: 'Hm', signature })
    const server = (index: number) => block(index, { type: 'server_tool_use', id: `s${index}`, name: 'x', input: {} })
    const reply = streamed(
      [
        ...thinking(0, 'sig'),
        ...server(1),
        ...block(2, { type: 'web_search_tool_result', tool_use_id: 's1', content: [] }),
        ...server(3),
        ...thinking(4, ''),
        ...use(5, '{}'),
        ...text(6, 'so far').slice(0, 2),
        ...thinking(7, 'sig').slice(0, 1),
      ],
      'cut',
    )
    expect(reply).toMatchObject({
      complete: false,
      why: 'cut',
      calls: [],
      broken: [{ id: 'toolu_5', why: 'unfinished' }],
    })
    expect(contentOf(reply)).toMatchObject([
      { type: 'thinking', signature: 'sig' },
      { id: 's1' },
      { tool_use_id: 's1' },
      { text: 'so far' },
    ])
  })

  it('is an error with its event', () => {
    const event = { type: 'error', error: { details: null, type: 'overloaded_error', message: 'Overloaded' } }
    expect(streamed([...text(0, 'a'), event], 'cut')).toMatchObject({
      why: 'error',
      error: event,
      messages: [{ content: [{ text: 'a' }] }],
    })
  })
})

it('reads the events that InvokeModel wraps, and counts the whole prompt', () => {
  const usage = { input_tokens: 3, cache_read_input_tokens: 5, cache_creation_input_tokens: 7, output_tokens: 1 }
  const events = [
    { type: 'message_start', message: { id: 'i', model: 'm', content: [], usage } },
    ...text(0, 'déjà'),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ]
  const cut = splitter('eventstream')
  const assembler = form.stream()
  for (const event of events) {
    const bytes = Buffer.from(JSON.stringify(event)).toString('base64')
    for (const frame of cut.push(eventstreamFrame('event', 'chunk', { bytes }))) assembler.push(frame)
  }
  expect(assembler.end()).toEqual({
    messages: [{ role: 'assistant', content: [{ type: 'text', text: 'déjà' }] }],
    complete: true,
    calls: [],
    broken: [],
    stop: 'end_turn',
    usage: { input: 15, output: 9, cached: 5, written: 7 },
    id: 'i',
    model: 'm',
  })
})
