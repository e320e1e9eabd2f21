import { type Bound, defineRule, type Explanation, type NoParams } from '../core/index.ts'

export const messagesEmpty = defineRule({
  id: 'messages-empty',
  phase: 'structure',
  repair: 'none',
  messages: { empty: 'The history has no messages; {rejects} that. Add at least one.' },
  check(t, _constraint: Bound<NoParams>, report) {
    // A request may hold plain text in the place of the list: that is a prompt.
    if (t.history.length === 0 && !t.holdsEarlierTurns && typeof t.request?.[t.dialect.key] !== 'string')
      report('empty', [], {})
  },
})

export const explanation: Explanation = {
  summary: 'A history has at least one message.',
  why: 'Every provider rejects a request without messages.',
}
