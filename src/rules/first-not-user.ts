import { type Bound, defineRule, type Explanation, type NoParams } from '../core/index.ts'
import { OPENING } from './lib/filler-texts.ts'

export const firstNotUser = defineRule({
  id: 'first-not-user',
  phase: 'structure',
  repair: 'lossy',
  messages: {
    first:
      'The history begins with the assistant, in message {index}; {rejects} that. {Repair} inserts a user message before it.',
  },
  check(t, _constraint: Bound<NoParams>, report) {
    let first = 0
    while (first < t.history.length && t.role(first) === 'system') first++
    if (first === t.history.length || !t.isAssistant(first) || t.holdsEarlierTurns) return
    if (t.dialect.isOpening?.(t.history[first])) return
    report('first', [first], {}, [{ do: 'insert', after: first - 1, value: t.dialect.textMessage('user', OPENING) }])
  },
})

export const explanation: Explanation = {
  summary: 'A history begins with a user message.',
  why: 'Providers reject a conversation that begins with the assistant. Usually the history was cut in the wrong place.',
  repair: 'Repair adds a short user message at the beginning.',
}
