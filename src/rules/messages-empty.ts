import { defineRule, type Explanation } from '../core/index.ts'

export const explanation: Explanation = {
  says: 'A history has at least one message.',
  why: 'There is nothing to answer: every provider refuses it.',
  refusals: [/Invalid '?(?:messages|input)'?: empty array/i, /at least one (?:contents field|message) is required/i],
}

/** Law: no facts. */
export const messagesEmpty = defineRule({
  id: 'messages-empty',
  repair: 'none',
  messages: { empty: 'The history is empty.' },
  checks: {
    end(walk, bound) {
      // A body may hold a plain text where the list would stand: that is a prompt.
      if (walk.history.length > 0 || typeof walk.body?.[walk.dialect.key] === 'string') return
      walk.report(bound, 'empty', [], {})
    },
  },
})
