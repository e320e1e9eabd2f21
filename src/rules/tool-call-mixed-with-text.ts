import { type Bound, defineRule, type Explanation, HAS_CALL, type NoParams } from '../core/index.ts'

export const toolCallMixedWithText = defineRule({
  id: 'tool-call-mixed-with-text',
  phase: 'structure',
  about: () => ({ parts: ['calls'] }),
  repair: 'lossy',
  messages: { mixed: 'Message {index} has text beside its calls; {rejects} that. {Repair} separates them.' },
  check(t, _constraint: Bound<NoParams>, report) {
    for (let i = 0; i < t.history.length; i++) {
      if (!t.isAssistant(i) || (t.flags[i]! & HAS_CALL) === 0) continue
      const texts = t.partsOf(i).filter(({ kind }) => kind === 'text')
      if (texts.length > 0)
        report(
          'mixed',
          [i],
          {},
          texts.map((part) => ({ do: 'remove', part })),
        )
    }
  },
})

export const explanation: Explanation = {
  summary: 'A message with tool calls has no text.',
  why: 'Some model families reject text and calls in one turn.',
  repair: 'Repair removes the text.',
}
