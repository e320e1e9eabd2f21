import { defineRule, type Explanation, HAS_CALL, roleOf } from '../core/index.ts'
import { OPENING } from './said.ts'

export const explanation: Explanation = {
  says: 'A turn with calls comes right after a user or a result turn.',
  why: 'Gemini refuses a call that opens the history or that follows other words of the model.',
  refusals: [/function call turn comes immediately after a user turn/i],
}

export const toolCallTurnOrder = defineRule({
  id: 'tool-call-turn-order',
  repair: 'lossy',
  messages: {
    first: 'The history begins with a call.',
    apart: 'A call stands apart from the turn that it belongs to.',
  },
  checks: {
    junction(before, after) {
      if (after === undefined || (after & HAS_CALL) === 0 || roleOf(after) !== 'assistant') return undefined
      if (before === undefined) return { do: 'insert', role: 'user', text: OPENING, message: 'first' }
      // A parallel turn stored as two turns with a call each was seen accepted.
      const apart = roleOf(before) === 'assistant' && (before & HAS_CALL) === 0
      return apart ? { do: 'merge', message: 'apart' } : undefined
    },
  },
})
