import { defineRule, type Explanation, ROLE } from '../core/index.ts'
import { OPENING } from './said.ts'

export const explanation: Explanation = {
  says: 'Somewhere in the history the user speaks.',
  why: 'Some providers refuse a history without a single user message, in words that name no cause.',
  refusals: [/The messages parameter is illegal/i],
}

export const noUserMessage = defineRule({
  id: 'no-user-message',
  repair: 'lossy',
  messages: { none: 'No message is from the user.' },
  checks: {
    end(walk, bound) {
      const { outlines } = walk
      let first = -1
      for (let i = 0; i < outlines.length; i++) {
        const role = outlines[i]! & 7
        if (role === ROLE.user) return
        if (first < 0 && role !== ROLE.system) first = i
      }
      if (outlines.length === 0) return
      const after = (first < 0 ? outlines.length : first) - 1
      const value = walk.dialect.say('user', OPENING)
      walk.report(bound, 'none', [Math.max(first, 0)], {}, [{ do: 'insert', after, value }])
    },
  },
})
