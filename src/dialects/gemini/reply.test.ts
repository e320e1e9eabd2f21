import { describe, expect, it } from 'vitest'
import type { Reply } from '../../core/reply.ts'
import { geminiReply as form } from './reply.ts'

type Json = Record<string, unknown>

const chunk = (parts: readonly Json[], finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason ? { finishReason } : {}), index: 0 }],
})

function streamed(chunks: readonly Json[]): Reply {
  const assembler = form.stream()
  for (const one of chunks) assembler.push({ data: JSON.stringify(one) })
  return assembler.end()
}

describe('parts', () => {
  it('are joined only where they are plain; a signature keeps its own part', () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'a' } }
    const reply = streamed([
      chunk([
        { text: 'H', thought: true },
        { text: 'm', thought: true },
      ]),
      chunk([{ text: 'One ' }, { text: 'two' }]),
      chunk([{ text: ' three', thoughtSignature: 'a' }]),
      chunk([
        { text: 'four' },
        image,
        { executableCode: { code: '1' } },
        { codeExecutionResult: { outcome: 'OK' } },
        { somethingNew: 1 },
      ]),
      chunk([
        { functionCall: { name: 'one', args: { a: 1 } }, thoughtSignature: 'b' },
        { functionCall: { name: 'two' } },
      ]),
      chunk([{ text: '' }, { text: '', thoughtSignature: 'c' }], 'STOP'),
    ])
    expect(reply.messages).toEqual([
      {
        role: 'model',
        parts: [
          { text: 'Hm', thought: true },
          { text: 'One two' },
          { text: ' three', thoughtSignature: 'a' },
          { text: 'four' },
          image,
          { executableCode: { code: '1' } },
          { codeExecutionResult: { outcome: 'OK' } },
          { somethingNew: 1 },
          { functionCall: { name: 'one', args: { a: 1 } }, thoughtSignature: 'b' },
          { functionCall: { name: 'two' } },
          { text: '', thoughtSignature: 'c' },
        ],
      },
    ])
    expect(reply.calls).toEqual([
      { id: '', name: 'one', arguments: { a: 1 }, text: '{"a":1}' },
      { id: '', name: 'two', arguments: {}, text: '{}' },
    ])
  })

  it('leave the chunks unchanged', () => {
    const first = Object.freeze({ text: 'a' })
    const body = { candidates: [{ content: { parts: [first, Object.freeze({ text: 'b' })] }, finishReason: 'STOP' }] }
    expect(form.json(body).messages).toEqual([{ role: 'model', parts: [{ text: 'a' }, { text: 'b' }] }])
    expect(form.json([body, body]).messages).toEqual([{ role: 'model', parts: [{ text: 'abab' }] }])
    expect(first).toEqual({ text: 'a' })
  })

  it('of a call that cannot be run are left out', () => {
    const calls = [
      { functionCall: { args: {} } },
      { functionCall: { name: 'one', args: 'x' } },
      { functionCall: { name: 'two', partialArgs: [{ jsonPath: '$.a' }], willContinue: true } },
    ]
    const reply = streamed([chunk([{ text: 'a' }, ...calls], 'STOP')])
    expect(reply.broken.map(({ name, why }) => [name, why])).toEqual([
      [undefined, 'no-name'],
      ['one', 'arguments'],
      ['two', 'arguments'],
    ])
    expect(reply).toMatchObject({ complete: true, calls: [], messages: [{ parts: [{ text: 'a' }] }] })
  })

  it('of a call whose arguments come in pieces are one part', () => {
    const piece = (functionCall: Json, rest: Json = {}) => chunk([{ functionCall, ...rest }])
    const begin = piece({ name: 'light', willContinue: true }, { thoughtSignature: 's' })
    const pieces = [
      piece({
        partialArgs: [
          { jsonPath: '$.level', numberValue: 50 },
          { jsonPath: '$.on', boolValue: true },
        ],
        willContinue: true,
      }),
      piece({
        partialArgs: [{ jsonPath: "$.rooms[0]['name']", stringValue: 'kit', willContinue: true }],
        willContinue: true,
      }),
      piece({
        partialArgs: [
          { jsonPath: "$.rooms[0]['name']", stringValue: 'chen' },
          { jsonPath: '$.none', nullValue: 'NULL_VALUE' },
        ],
        willContinue: true,
      }),
    ]
    const args = { level: 50, on: true, rooms: [{ name: 'kitchen' }], none: null }
    const whole = streamed([begin, ...pieces, piece({}), chunk([{ functionCall: { name: 'two', args: {} } }], 'STOP')])
    expect(whole.calls).toMatchObject([{ name: 'light', arguments: args }, { name: 'two' }])
    expect(whole.messages).toEqual([
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'light', args }, thoughtSignature: 's' },
          { functionCall: { name: 'two', args: {} } },
        ],
      },
    ])
    const unfinished = streamed([begin, ...pieces, chunk([], 'STOP')])
    expect(unfinished).toMatchObject({
      complete: true,
      calls: [],
      broken: [{ name: 'light', why: 'arguments' }],
      messages: [],
    })
    const lost = streamed([begin, piece({ partialArgs: [{ jsonPath: '$..x', stringValue: 'a' }] }), chunk([], 'STOP')])
    expect(lost).toMatchObject({ calls: [], broken: [{ why: 'arguments' }] })
  })

  it('of other candidates are ignored; those wrapped by Code Assist are read', () => {
    const other = { candidates: [{ content: { parts: [{ text: 'other' }] }, finishReason: 'STOP', index: 1 }] }
    expect(streamed([other])).toMatchObject({ complete: false, messages: [] })
    const inner = {
      ...chunk([{ text: 'a' }], 'STOP'),
      usageMetadata: { promptTokenCount: 2, candidatesTokenCount: 3, thoughtsTokenCount: 4 },
    }
    expect(streamed([{ response: inner }])).toMatchObject({ complete: true, usage: { input: 2, output: 7 } })
  })
})

describe('the end', () => {
  it('that did not come leaves the text', () => {
    const reply = streamed([
      chunk([{ text: 'Hm', thought: true }]),
      chunk([{ text: 'a' }, { functionCall: { id: 'i', name: 'one', args: {} } }]),
    ])
    expect(reply).toMatchObject({
      complete: false,
      why: 'cut',
      calls: [],
      broken: [{ id: 'i', name: 'one', why: 'unfinished' }],
    })
    expect(reply.messages).toEqual([{ role: 'model', parts: [{ text: 'a' }] }])
  })

  it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'OTHER'])('is a failure with %s', (reason) => {
    const assembler = form.stream()
    assembler.push({ data: JSON.stringify(chunk([{ functionCall: { name: 'one', args: {} } }], reason)) })
    expect(assembler.done).toBe(true)
    expect(assembler.end()).toMatchObject({
      complete: false,
      why: 'error',
      stop: reason,
      calls: [],
      error: { finishReason: reason },
    })
  })

  it.each(['MAX_TOKENS', 'SAFETY', 'RECITATION'])('is an end with %s', (reason) => {
    expect(streamed([chunk([{ text: 'a' }], reason)])).toMatchObject({ complete: true, stop: reason })
  })

  it('is an error if the prompt was blocked or a chunk reports an error', () => {
    expect(streamed([{ promptFeedback: { blockReason: 'SAFETY' } }])).toMatchObject({
      why: 'error',
      stop: 'SAFETY',
      messages: [],
    })
    expect(form.json({ promptFeedback: { blockReason: 'SAFETY' } })).toMatchObject({ why: 'error' })
    const error = { error: { code: 503, message: 'x', status: 'UNAVAILABLE' } }
    expect(streamed([chunk([{ text: 'a' }]), error])).toMatchObject({ why: 'error', error })
    expect(form.json([error])).toMatchObject({ why: 'error', error })
  })
})
