import { defineRule } from '../core/index.ts'

/** Law: no facts. */
export const messagesEmpty = defineRule({
  id: 'messages-empty',
  says: 'A history has at least one message.',
  why: 'There is nothing to answer: every provider refuses it.',
  repair: 'none',
  refusals: [/Invalid '?(?:messages|input)'?: empty array/i, /at least one contents field is required/i],
  messages: { empty: 'The history is empty.' },
  checks: {
    end(walk, bound) {
      // A body may hold a plain text where the list would stand: that is a prompt.
      if (walk.history.length > 0 || typeof walk.body?.[walk.dialect.key] === 'string') return
      walk.report(bound, 'empty', [], {})
    },
  },
})
