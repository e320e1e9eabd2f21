import { type Bound, defineRule, type Explanation, HAS_CALL, type NoParams } from '../core/index.ts'
import { OPENING } from './lib/filler-texts.ts'
import { eachNeighbor } from './lib/neighbors.ts'

export const toolCallTurnOrder = defineRule({
  id: 'tool-call-turn-order',
  phase: 'structure',
  about: () => ({ parts: ['calls'] }),
  repair: 'lossy',
  messages: {
    first:
      'The history begins with a call, in message {index}; {rejects} that. {Repair} inserts a user message before it.',
    apart:
      'A call in message {index} is separate from the turn that it belongs to; {rejects} that. {Repair} joins them.',
  },
  check(t, _constraint: Bound<NoParams>, report) {
    const calls = (message: number) => (t.flags[message]! & HAS_CALL) !== 0
    eachNeighbor(t, (before, message) => {
      if (!t.isAssistant(message) || !calls(message)) return
      if (before < 0)
        report('first', [message], {}, [
          { do: 'insert', after: message - 1, value: t.dialect.textMessage('user', OPENING) },
        ])
      // A parallel turn stored as two turns with a call each was seen accepted.
      else if (t.isAssistant(before) && !calls(before)) report('apart', [message], {}, [{ do: 'merge', message }])
    })
  },
})

export const explanation: Explanation = {
  summary: 'A turn with calls comes right after a user turn or a result turn.',
  why: 'Gemini rejects a call at the beginning of the history; after a model turn of text alone it is disputed.',
  repair: 'Repair adds a short user message at the beginning; with `strict`, it also joins the two model turns.',
}
