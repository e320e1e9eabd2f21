import { describe, expect, it } from 'vitest'
import type { Reply } from '../../core/reply.ts'
import { openaiChatReply as form } from './reply.ts'

/** Deltas in order, then a reason to stop. */
function streamed(deltas: readonly object[], finish: string | null = 'tool_calls'): Reply {
  const assembler = form.stream()
  for (const delta of deltas) push(assembler, { choices: [{ index: 0, delta, finish_reason: null }] })
  if (finish !== null) push(assembler, { choices: [{ index: 0, delta: {}, finish_reason: finish }] })
  assembler.push({ data: '[DONE]' })
  return assembler.end()
}

function push(assembler: ReturnType<typeof form.stream>, data: unknown): void {
  assembler.push({ data: JSON.stringify(data) })
}

const call = (rest: object, fn: object) => ({ tool_calls: [{ ...rest, function: fn }] })
const names = (reply: Reply) => reply.calls.map(({ id, name, text }) => `${id} ${name} ${text}`)

describe('calls', () => {
  it.each<[string, object[], string[]]>([
    [
      'interleaved, by index',
      [
        call({ index: 1, id: 'b', type: 'function' }, { name: 'two', arguments: '' }),
        call({ index: 0, id: 'a', type: 'function' }, { name: 'one', arguments: '{"x"' }),
        call({ index: 1 }, { arguments: '{"y":' }),
        call({ index: 0 }, { arguments: ':1}' }),
        call({ index: 1 }, { arguments: '2}' }),
      ],
      ['b two {"y":2}', 'a one {"x":1}'],
    ],
    [
      'id and name repeated in every delta',
      [
        call({ index: 0, id: 'a' }, { name: 'one', arguments: '{"x"' }),
        call({ index: 0, id: 'a' }, { name: 'one', arguments: ':1}' }),
      ],
      ['a one {"x":1}'],
    ],
    [
      'index always 0, with new ids',
      [
        call({ index: 0, id: 'a' }, { name: 'one', arguments: '{"x"' }),
        call({ index: 0 }, { arguments: ':1}' }),
        call({ index: 0, id: 'b' }, { name: 'one', arguments: '{}' }),
      ],
      ['a one {"x":1}', 'b one {}'],
    ],
    [
      'no index, whole calls in one delta',
      [
        {
          tool_calls: [
            { id: 'a', function: { name: 'one', arguments: '{}' } },
            { id: 'b', function: { name: 'one', arguments: '{}' } },
          ],
        },
      ],
      ['a one {}', 'b one {}'],
    ],
    [
      'no index, id in the first delta only',
      [
        call({ id: 'a' }, { name: 'one', arguments: '{"x"' }),
        call({}, { arguments: ':1}' }),
        call({ id: 'b' }, { name: 'two', arguments: '{}' }),
      ],
      ['a one {"x":1}', 'b two {}'],
    ],
    [
      'the id after the name',
      [call({ index: 0 }, { name: 'one' }), call({ index: 0, id: 'a' }, { arguments: '{}' })],
      ['a one {}'],
    ],
    [
      'an empty id after the first',
      [call({ index: 0, id: 'a' }, { name: 'one' }), call({ index: 0, id: '' }, { arguments: '{}' })],
      ['a one {}'],
    ],
    ['no arguments at all', [call({ index: 0, id: 'a' }, { name: 'one', arguments: '' })], ['a one ']],
  ])('%s', (_, deltas, wanted) => {
    const reply = streamed(deltas)
    expect(names(reply)).toEqual(wanted)
    expect(reply.broken).toEqual([])
  })

  it('that cannot be run are reported as broken, and are not in the message', () => {
    const reply = streamed([
      { content: 'I ask.' },
      call({ index: 0, id: 'a' }, { name: 'one', arguments: '{"x": "Pa' }),
      call({ index: 1 }, { name: 'two', arguments: '{}' }),
      call({ index: 2, id: 'c' }, { arguments: '{}' }),
      call({ index: 3, id: 'd' }, { name: 'four', arguments: '[1]' }),
      call({ index: 4, id: 'e' }, { name: 'five', arguments: '{"ok":true}' }),
    ])
    expect(reply.broken).toEqual([
      { id: 'a', name: 'one', text: '{"x": "Pa', why: 'arguments' },
      { name: 'two', text: '{}', why: 'no-id' },
      { id: 'c', text: '{}', why: 'no-name' },
      { id: 'd', name: 'four', text: '[1]', why: 'arguments' },
    ])
    expect(reply).toMatchObject({ complete: true, calls: [{ id: 'e', arguments: { ok: true } }] })
    expect(reply.messages).toEqual([
      {
        role: 'assistant',
        content: 'I ask.',
        tool_calls: [{ id: 'e', type: 'function', function: { name: 'five', arguments: '{"ok":true}' } }],
      },
    ])
  })

  it('without arguments where the length ran out are broken', () => {
    expect(streamed([call({ index: 0, id: 'a' }, { name: 'one', arguments: '' })], 'length')).toMatchObject({
      complete: true,
      calls: [],
      broken: [{ id: 'a', why: 'arguments' }],
      messages: [],
    })
  })

  it('keep fields we do not know, such as a signature, and lose their index', () => {
    const extra_content = { google: { thought_signature: 'sig' } }
    const reply = streamed([call({ index: 0, id: 'a', extra_content }, { name: 'one', arguments: '{}' })])
    expect(reply.messages).toMatchObject([{ tool_calls: [{ id: 'a', extra_content }] }])
    expect(JSON.stringify(reply.messages)).not.toContain('index')
  })

  it('with the same id in one whole answer stay two', () => {
    const tool_calls = [1, 2].map(() => ({ id: 'a', type: 'function', function: { name: 'one', arguments: '{}' } }))
    const reply = form.json({
      choices: [{ message: { role: 'assistant', content: null, tool_calls }, finish_reason: 'tool_calls' }],
    })
    expect(names(reply)).toEqual(['a one {}', 'a one {}'])
  })

  it('of custom tools have a text instead of arguments', () => {
    const reply = streamed([
      { tool_calls: [{ index: 0, id: 'a', type: 'custom', custom: { name: 'sql', input: 'select ' } }] },
      { tool_calls: [{ index: 0, custom: { input: '1' } }] },
    ])
    expect(reply.calls).toEqual([{ id: 'a', name: 'sql', arguments: 'select 1', text: 'select 1' }])
    expect(reply.messages).toMatchObject([
      { tool_calls: [{ type: 'custom', custom: { name: 'sql', input: 'select 1' } }] },
    ])
  })

  it('of the legacy functions API stay in the message, and are not run', () => {
    const reply = streamed(
      [{ function_call: { name: 'one', arguments: '{"a"' } }, { function_call: { arguments: ':1}' } }],
      'function_call',
    )
    expect(reply.messages).toMatchObject([{ function_call: { name: 'one', arguments: '{"a":1}' } }])
    expect(reply).toMatchObject({ calls: [], broken: [{ name: 'one', why: 'no-id' }] })
  })
})

describe('the message', () => {
  it('has reasoning in the field in which it came', () => {
    for (const key of ['reasoning_content', 'reasoning', 'reasoning_text']) {
      const reply = streamed(
        [{ role: 'assistant', content: null, [key]: 'H' }, { [key]: 'm' }, { content: 'Yes' }],
        'stop',
      )
      expect(reply.messages).toEqual([{ role: 'assistant', content: 'Yes', [key]: 'Hm' }])
    }
  })

  it('joins reasoning details by their index, and leaves encrypted ones', () => {
    const detail = (rest: object) => ({ reasoning_details: [{ type: 'reasoning.text', index: 0, ...rest }] })
    const reply = streamed(
      [
        detail({ text: 'H', signature: null }),
        detail({ text: 'm', signature: 'sig' }),
        { reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'a' }] },
        { reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'b' }] },
        { content: 'Yes' },
      ],
      'stop',
    )
    expect(reply.messages).toMatchObject([
      {
        reasoning_details: [
          { type: 'reasoning.text', index: 0, text: 'Hm', signature: 'sig' },
          { type: 'reasoning.encrypted', data: 'a' },
          { type: 'reasoning.encrypted', data: 'b' },
        ],
      },
    ])
  })

  it('has no nulls, no other choice, and a key named __proto__ as a key', () => {
    const assembler = form.stream()
    assembler.push({ data: '{"choices":[{"index":1,"delta":{"content":"other"},"finish_reason":"stop"}]}' })
    assembler.push({ data: '{"choices":[{"index":0,"delta":{"content":"a","refusal":null,"__proto__":{"x":1}}}]}' })
    expect(assembler.done).toBe(false)
    assembler.push({ data: '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}' })
    const [message] = assembler.end().messages as [object]
    expect(JSON.stringify(message)).toBe('{"role":"assistant","content":"a","__proto__":{"x":1}}')
    expect('x' in message).toBe(false)
  })

  it('is added once if a whole message follows its deltas', () => {
    const assembler = form.stream()
    push(assembler, { choices: [{ index: 0, delta: { content: 'a' } }] })
    push(assembler, { choices: [{ index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }] })
    expect(assembler.end()).toMatchObject({ complete: true, messages: [{ content: 'a' }] })
  })

  it('is one where Copilot parts it into two choices', () => {
    const tool_calls = [{ id: 'a', type: 'function', function: { name: 'one', arguments: '{}' } }]
    const choices = [
      { message: { role: 'assistant', content: 'I ask.' }, finish_reason: 'tool_calls' },
      { message: { role: 'assistant', tool_calls }, finish_reason: 'tool_calls' },
    ]
    expect(form.json({ choices }).messages).toEqual([{ role: 'assistant', content: 'I ask.', tool_calls }])
  })

  it('is empty if there was no content', () => {
    expect(streamed([{ role: 'assistant', content: '' }], 'stop')).toMatchObject({ complete: true, messages: [] })
    expect(streamed([{ reasoning_content: 'Hm' }], 'length')).toMatchObject({ complete: true, messages: [] })
  })
})

describe('the end', () => {
  it('is a finish reason, with or without [DONE] after it; [DONE] alone is a cut', () => {
    expect(streamed([{ content: 'a' }], null)).toMatchObject({
      complete: false,
      why: 'cut',
      messages: [{ content: 'a' }],
    })
    const assembler = form.stream()
    push(assembler, { choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }] })
    expect(assembler.end().complete).toBe(true)
  })

  it.each(['error', 'insufficient_system_resource', 'network_error'])('is a failure with %s', (reason) => {
    expect(streamed([{ content: 'a' }], reason)).toMatchObject({ complete: false, why: 'error', stop: reason })
  })

  it.each([
    '{"error":{"message":"x"},"choices":[]}',
    '{"error":"x"}',
    '{"object":"error","message":"x"}',
    '{"message":"x","type":"t","param":null,"code":null}',
    '{"choices":[{"index":0,"delta":{},"error":{"code":502,"message":"x"}}]}',
  ])('is an error with %s', (data) => {
    const assembler = form.stream()
    push(assembler, { choices: [{ index: 0, delta: { content: 'a' } }] })
    assembler.push({ data })
    expect(assembler.error).toEqual(JSON.parse(data))
    expect(assembler.end()).toMatchObject({ complete: false, why: 'error', messages: [{ content: 'a' }] })
  })

  it('is an error if one is glued to an open line, and malformed if a frame is not JSON', () => {
    const glued = form.stream()
    glued.push({ event: 'error', data: '{"choices":[{"delta":{"con\n{"error":{"message":"x"}}' })
    expect(glued.end()).toMatchObject({ why: 'error', error: { error: { message: 'x' } } })
    const broken = form.stream()
    broken.push({ data: '{"choices":[' })
    push(broken, { choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }] })
    expect(broken.end()).toMatchObject({ complete: false, why: 'malformed', calls: [] })
  })
})

describe("Ollama's own lines", () => {
  it('have no ids and arguments as objects', () => {
    const assembler = form.stream()
    const tool_calls = [
      { function: { name: 'one', arguments: { a: 1 } } },
      { function: { name: 'one', arguments: { a: 2 } } },
    ]
    push(assembler, { model: 'm', message: { role: 'assistant', content: 'I ' }, done: false })
    push(assembler, { model: 'm', message: { role: 'assistant', content: 'ask.', tool_calls }, done: false })
    push(assembler, {
      model: 'm',
      message: { role: 'assistant', content: '' },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 3,
      eval_count: 4,
    })
    expect(assembler.end()).toEqual({
      messages: [{ role: 'assistant', content: 'I ask.', tool_calls }],
      complete: true,
      calls: tool_calls.map((one) => ({
        id: '',
        name: 'one',
        arguments: one.function.arguments,
        text: JSON.stringify(one.function.arguments),
      })),
      broken: [],
      stop: 'stop',
      usage: { input: 3, output: 4 },
      model: 'm',
    })
  })
})
