import { defineRule, type Explanation, roleOf } from '../core/index.ts'
import { OPENING } from './said.ts'

export const explanation: Explanation = {
  says: 'A history begins with the user.',
  why: 'Providers refuse a conversation that the assistant opens: mostly the mark of a cut in the wrong place.',
  refusals: [
    /first message must use the "?user"? role/i,
    /conversation must start with a user message/i,
    /first content should be with role '?user/i,
  ],
}

export const firstNotUser = defineRule({
  id: 'first-not-user',
  repair: 'lossy',
  messages: { first: 'The history begins with the assistant.' },
  checks: {
    junction(before, after) {
      if (before !== undefined || after === undefined || roleOf(after) !== 'assistant') return undefined
      return { do: 'insert', role: 'user', text: OPENING, message: 'first' }
    },
  },
})
