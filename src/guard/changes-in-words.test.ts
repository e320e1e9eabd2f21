/** Edits in words, in every dialect: place, kinds and ids, and no content. */
import { expect, it } from 'vitest'
import { repair } from '../../test/untyped-api.ts'
import { dialects } from '../dialects/index.ts'
import { changesOf } from './changes-in-words.ts'

const SECRET = 'the private words'

it.each([
  [
    'openai-chat',
    'openai',
    [
      { role: 'user', content: SECRET },
      { role: 'assistant', content: null, tool_calls: [call('call_1')] },
      { role: 'user', content: SECRET },
    ],
    ['/2: adds tool message (result call_1)'],
  ],
  [
    'openai-responses',
    'openai-responses',
    [
      { role: 'user', content: SECRET },
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{}' },
      { role: 'user', content: SECRET },
    ],
    ['/2: adds tool message (result call_1)'],
  ],
  [
    'anthropic-messages',
    'anthropic',
    [
      { role: 'user', content: SECRET },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: '' },
          { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: SECRET } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: SECRET }] },
    ],
    ['/1/content/0: removes text'],
  ],
] as const)('%s', (dialect, provider, given, expected) => {
  const { patch } = repair(given, { provider })
  const words = changesOf(patch, dialects.find(({ id }) => id === dialect)!)
  expect(words).toEqual(expected)
  expect(words.join()).not.toContain(SECRET)
})

it('names at most ten edits, and values that are no message', () => {
  const patch = Array.from({ length: 40 }, (_, index) => ({
    op: 'splice' as const,
    path: [],
    index,
    remove: [SECRET, null, { content: SECRET }],
    insert: [],
  }))
  for (const dialect of dialects) {
    const words = changesOf(patch, dialect)
    expect(words).toHaveLength(10)
    expect(words.join()).not.toContain(SECRET)
  }
})

function call(id: string) {
  return { id, type: 'function', function: { name: 'weather', arguments: '{}' } }
}
