import { type Bound, defineRule, type Explanation } from '../core/index.ts'
import { isBlankText, type TextBlank } from './lib/blank-text.ts'

export const textBlank = defineRule({
  id: 'text-blank',
  phase: 'shape',
  about: () => ({ parts: ['texts', 'reasoning'] }),
  repair: 'safe',
  messages: { blank: 'A text in message {index} is only whitespace; {rejects} that. {Repair} removes it.' },
  check(t, constraint: Bound<TextBlank>, report) {
    // Where only an empty text is rejected, an empty thought is rejected as well.
    for (const part of constraint.empty ? [...t.texts, ...t.reasoning] : t.texts)
      if (isBlankText(t, part, constraint)) report('blank', part, {}, [{ do: 'remove', part }])
  },
})

export const explanation: Explanation = {
  summary: 'A text block has characters other than white space.',
  why: 'Some providers reject text that is only white space, which models themselves produce before a call.',
  repair: 'Repair removes the block, and a message that becomes empty.',
}
