/** Documents and images that a provider rejected: each is replaced by a note, and nothing else changes. */
import { describe, expect, it } from 'vitest'
import { repair } from '../../core/index.ts'
import { anthropicMessages } from '../../dialects/index.ts'
import { testRule } from '../../testing/index.ts'
import { documentUnreadable } from './document-unreadable.ts'
import { imageUnsupported } from './image-unsupported.ts'

const pdf = (data: string) => ({
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data: `JVBERi0x${data}` },
})
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }
const text = (words: string) => ({ type: 'text', text: words })
const talk = (...content: readonly unknown[]) => [{ role: 'user', content }]

const DIALECT = 'anthropic-messages'
const UNREADABLE = text('[Document left out: it could not be read]')
const BLIND = text('[Image left out: the model does not accept images]')

testRule(documentUnreadable, {
  valid: { 'a document that no one rejected': { before: talk(pdf('A')), dialect: DIALECT } },
  invalid: {
    'a rejection takes the latest document, not the image after it': {
      before: talk(pdf('A'), pdf('B'), image),
      dialect: DIALECT,
      options: { rejectedBy: ['document-unreadable'] },
      finds: ['unreadable'],
      after: talk(pdf('A'), UNREADABLE, image),
    },
  },
})

testRule(imageUnsupported, {
  valid: { 'an image that no one rejected': { before: talk(image), dialect: DIALECT } },
  invalid: {
    'every image, no document': {
      before: talk(image, pdf('A'), image),
      dialect: DIALECT,
      options: { rejectedBy: ['image-unsupported'] },
      finds: ['image', 'image'],
      after: talk(BLIND, pdf('A'), BLIND),
    },
  },
})

describe('inside a result', () => {
  it('the image of a screenshot', () => {
    const service = { dialect: anthropicMessages, constraints: {} }
    const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'shot', input: {} }] }
    const shown = (...content: readonly unknown[]) => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }],
    })
    const target = { service, rules: [imageUnsupported], rejectedBy: ['image-unsupported'] }
    const { value } = repair([...talk(text('look')), call, shown(image)], target)
    expect(value.at(-1)).toEqual(shown(BLIND))
  })
})
