import { type Bound, defineRule, type Explanation, type NoParams, ROLE } from '../core/index.ts'
import { OPENING } from './lib/filler-texts.ts'

export const noUserMessage = defineRule({
  id: 'no-user-message',
  phase: 'structure',
  repair: 'lossy',
  messages: { none: 'No message is from the user; {rejects} such a history. {Repair} inserts one.' },
  check(t, _constraint: Bound<NoParams>, report) {
    const { flags } = t
    let first = flags.length
    for (let i = flags.length - 1; i >= 0; i--) {
      const role = flags[i]! & 7
      if (role === ROLE.user) return
      if (role !== ROLE.system) first = i
    }
    if (flags.length === 0 || t.holdsEarlierTurns) return
    const value = t.dialect.textMessage('user', OPENING)
    report('none', [first < flags.length ? first : 0], {}, [{ do: 'insert', after: first - 1, value }])
  },
})

export const explanation: Explanation = {
  summary: 'A history has at least one user message.',
  why: 'Some providers reject a history without a user message, with an error that names no cause.',
  repair: 'Repair adds a short user message before the first reply, never at the end, where it would be answered.',
}
