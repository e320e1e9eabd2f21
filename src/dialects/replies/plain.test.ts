/** What is plainly a whole answer is one: a look that is quicker than putting it together may not see more in it. */
import { describe, expect, it } from 'vitest'
import { replies } from './index.ts'

const chat = {
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
}
const messages = {
  id: 'x',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'Yes.' }],
  stop_reason: 'end_turn',
}

const ODD: readonly unknown[] = [
  undefined,
  null,
  '',
  'error',
  'abort',
  0,
  2,
  true,
  [],
  {},
  [null],
  { message: 'no' },
  [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{' } }],
  [{ type: 'tool_use', id: 'c', name: 'f', input: 'x' }],
]

/** The value with each of its places, in turn, holding each odd thing. */
function* spoilt(value: unknown): Generator<unknown> {
  yield* ODD
  if (typeof value !== 'object' || value === null) return
  const more = Array.isArray(value)
    ? {}
    : { error: null, type: null, code: null, message: null, tool_calls: null, function_call: null }
  for (const key of Object.keys({ ...more, ...value }))
    for (const odd of spoilt((value as Record<string, unknown>)[key])) {
      const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...value }
      copy[key] = odd
      yield copy
    }
}

describe.each([
  ['openai-chat', chat],
  ['anthropic-messages', messages],
])('%s', (dialect, answer) => {
  const form = replies[dialect]!

  it('sees a plain answer', () => {
    expect(form.isPlain!(answer)).toBe(true)
  })

  it('is never plain where it is not complete', () => {
    const wrong: unknown[] = []
    let plain = 0
    for (const body of spoilt(answer)) {
      if (!form.isPlain!(body)) continue
      plain++
      if (!form.json(body).complete) wrong.push(body)
    }
    expect(plain).toBeGreaterThan(10)
    expect(wrong).toEqual([])
  })
})
