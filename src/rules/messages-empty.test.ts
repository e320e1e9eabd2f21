import { expect, it } from 'vitest'
import { lint } from '../core/index.ts'
import { dialects } from '../dialects/index.ts'
import { testRule } from '../testing/index.ts'
import { messagesEmpty } from './messages-empty.ts'

testRule(messagesEmpty, {
  valid: { 'one message': 'user: hello' },
  invalid: { 'no message': { before: [], dialect: 'openai-chat', finds: ['empty'] } },
})

it('takes a text in the place of the list for a prompt', () => {
  const dialect = dialects.find(({ id }) => id === 'openai-responses')!
  const service = { dialect, constraints: { 'messages-empty': { evidence: 'many-reports' } } } as const
  expect(lint({ input: 'hello' }, { service, rules: [messagesEmpty] })).toEqual([])
})
