import { describe, expect, it } from 'vitest'
import { repair } from '../../core/index.ts'
import { anthropicMessages } from '../../dialects/index.ts'
import { testRule } from '../../testing/index.ts'
import { pdfTooManyPages } from './pdf-too-many-pages.ts'

const pdf = (length: number) => ({
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0x' + 'A'.repeat(length) },
})
const prompt = (...content: readonly unknown[]) => [{ role: 'user', content }]

testRule(pdfTooManyPages, {
  valid: { 'a document without a rejection': { before: prompt(pdf(100)), dialect: 'anthropic-messages' } },
  invalid: {
    'a rejection takes the document': {
      before: prompt({ type: 'text', text: 'read' }, pdf(10)),
      dialect: 'anthropic-messages',
      options: { rejectedBy: ['pdf-too-many-pages'] },
      finds: ['pages'],
      after: prompt(
        { type: 'text', text: 'read' },
        { type: 'text', text: '[Document left out: too many pages to be sent]' },
      ),
    },
  },
})

describe('of several documents', () => {
  it('only the largest goes', () => {
    const service = { dialect: anthropicMessages, constraints: {} }
    const target = { service, rules: [pdfTooManyPages], rejectedBy: ['pdf-too-many-pages'] }
    const { value: history } = repair(prompt(pdf(10), pdf(30), pdf(20)), target)
    expect(history).toEqual(
      prompt(pdf(10), { type: 'text', text: '[Document left out: too many pages to be sent]' }, pdf(20)),
    )
  })
})
