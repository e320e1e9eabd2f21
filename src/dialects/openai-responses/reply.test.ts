import { describe, expect, it } from 'vitest'
import type { Reply } from '../../core/reply.ts'
import { openaiResponsesReply as form } from './reply.ts'

type Json = Record<string, unknown>

function streamed(events: readonly Json[]): Reply {
  const assembler = form.stream()
  for (const event of events) assembler.push({ event: String(event['type']), data: JSON.stringify(event) })
  return assembler.end()
}

const added = (output_index: number, item: Json) => ({ type: 'response.output_item.added', output_index, item })
const done = (output_index: number, item: Json) => ({ type: 'response.output_item.done', output_index, item })
const completed = (rest: Json = {}) => ({
  type: 'response.completed',
  response: { id: 'resp_1', status: 'completed', output: [], ...rest },
})
const say = (output_index: number, item_id: string, delta: string) => ({
  type: 'response.output_text.delta',
  output_index,
  item_id,
  content_index: 0,
  delta,
})
const message = (id: string, text: string) => ({
  id,
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', annotations: [{ url: 'u' }], text }],
})
const call = (id: string, rest: Json = {}) => ({
  id,
  type: 'function_call',
  status: 'completed',
  call_id: `call_${id}`,
  name: 'one',
  arguments: '{"a":1}',
  ...rest,
})
const reasoning = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAA', status: null }
const { status: _, ...sent } = reasoning

describe('items', () => {
  it('are those of output_item.done, in order, even if the deltas differ', () => {
    const odd = { id: 'x_1', type: 'something_new', deep: { er: [1] } }
    const reply = streamed([
      added(1, { ...message('msg_1', ''), content: [] }),
      say(1, 'msg_1', 'other'),
      done(1, message('msg_1', 'Yes')),
      done(0, reasoning),
      done(2, odd),
      done(3, call('fc_1')),
      completed(),
    ])
    expect(reply.messages).toEqual([sent, message('msg_1', 'Yes'), odd, call('fc_1')])
    expect(reply).toMatchObject({ complete: true, stop: 'completed', id: 'resp_1', broken: [] })
    expect(reply.calls).toEqual([{ id: 'call_fc_1', name: 'one', arguments: { a: 1 }, text: '{"a":1}' }])
  })

  it('are those of the terminal event if none came before it', () => {
    const output = [reasoning, message('msg_1', 'Yes')]
    expect(streamed([say(1, 'msg_1', 'Ye'), completed({ output })]).messages).toEqual([sent, message('msg_1', 'Yes')])
  })

  it('with an id that changes go by their place; with place 0 for all they go by their id', () => {
    const changing = [
      added(0, message('a', '')),
      say(0, 'b', 'Yes'),
      done(0, message('c', 'Yes')),
      done(1, call('fc_1')),
      completed(),
    ]
    expect(streamed(changing).messages).toEqual([message('c', 'Yes'), call('fc_1')])
    const zero = [
      added(0, message('a', '')),
      done(0, message('a', 'Yes')),
      added(0, call('b')),
      done(0, call('b')),
      completed(),
    ]
    expect(streamed(zero).messages).toEqual([message('a', 'Yes'), call('b')])
  })

  it('that the provider ran are not calls; those of the client are, of every kind', () => {
    const reply = form.json({
      status: 'completed',
      output: [
        { type: 'web_search_call', id: 'ws_1', status: 'completed' },
        { type: 'mcp_call', id: 'mcp_1', name: 'x', arguments: '{}', output: 'y' },
        { type: 'shell_call', id: 'sh_1', call_id: 'a', action: { commands: ['ls'] } },
        { type: 'shell_call_output', call_id: 'a', output: [] },
        { type: 'custom_tool_call', id: 'ctc_1', call_id: 'b', name: 'sql', input: 'select 1' },
        { type: 'local_shell_call', id: 'lsh_1', call_id: 'c', action: { type: 'exec', command: ['ls'] } },
        call('fc_1', { arguments: '' }),
      ],
    })
    expect(reply.calls.map(({ id, name, arguments: args }) => [id, name, args])).toEqual([
      ['b', 'sql', 'select 1'],
      ['c', 'local_shell', { type: 'exec', command: ['ls'] }],
      ['call_fc_1', 'one', {}],
    ])
    expect(reply.messages).toHaveLength(7)
    expect(reply.messages.at(-1)).toMatchObject({ arguments: '{}' })
  })

  it('of reasoning go with what followed them', () => {
    const cut = call('fc_1', { status: 'incomplete', arguments: '{"a' })
    const reply = form.json({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [message('m', 'a'), reasoning, cut],
    })
    expect(reply).toMatchObject({
      complete: true,
      stop: 'max_output_tokens',
      calls: [],
      broken: [{ id: 'call_fc_1', text: '{"a', why: 'unfinished' }],
    })
    expect(reply.messages).toEqual([message('m', 'a')])
  })
})

describe('the end', () => {
  it('that did not come leaves the text, without ids and without calls', () => {
    const reply = streamed([
      done(0, reasoning),
      done(1, message('msg_1', 'One')),
      added(2, message('msg_2', '')),
      say(2, 'msg_2', 'Tw'),
      say(2, 'msg_2', 'o'),
      done(3, call('fc_1')),
      added(4, call('fc_2', { arguments: '' })),
      { type: 'response.function_call_arguments.delta', output_index: 4, item_id: 'fc_2', delta: '{"a' },
    ])
    expect(reply).toMatchObject({ complete: false, why: 'cut', calls: [] })
    expect(reply.broken).toEqual([
      { id: 'call_fc_1', name: 'one', text: '{"a":1}', why: 'unfinished' },
      { id: 'call_fc_2', name: 'one', text: '{"a', why: 'unfinished' },
    ])
    expect(reply.messages).toEqual([
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', annotations: [{ url: 'u' }], text: 'One' }],
      },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', annotations: [], text: 'Two' }] },
    ])
  })

  it.each<Json>([
    { type: 'response.failed', response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'x' } } },
    { type: 'response.cancelled', response: { status: 'cancelled' } },
    { type: 'error', error: { type: 'invalid_request_error', message: 'x' } },
    { type: 'error', code: 'x', message: 'x', param: null },
  ])('is an error with %o', (event) => {
    const reply = streamed([done(0, message('m', 'a')), done(1, call('fc_1')), event])
    expect(reply).toMatchObject({ complete: false, why: 'error', calls: [], messages: [{ type: 'message' }] })
    expect(reply.error).toBeDefined()
  })

  it('is not there yet while a response runs in the background', () => {
    expect(form.json({ status: 'in_progress', output: [] })).toMatchObject({ complete: false, why: 'cut' })
  })
})
