import { type Bound, defineRule, type Explanation, type NoParams } from '../core/index.ts'

export const thinkingTextMissing = defineRule({
  id: 'thinking-text-missing',
  phase: 'shape',
  about: () => ({ parts: ['reasoning'] }),
  repair: 'safe',
  neutral: true,
  messages: {
    textless:
      'A thinking block in message {index} has a signature but no text field; {rejects} it. {Repair} adds an empty one.',
  },
  check(t, _constraint: Bound<NoParams>, report) {
    for (const part of t.reasoning) {
      if (part.type !== 'thinking' || (part.body !== undefined && part.body !== null)) continue
      if (part.signature !== undefined && part.signature !== null)
        report('textless', part, {}, [{ do: 'set-part', part, key: 'thinking', value: '' }])
    }
  },
})

export const explanation: Explanation = {
  summary: 'A signed thinking block has the field `thinking`, even if it is empty.',
  why: 'A block whose text was omitted is accepted with "" and rejected without the field.',
  repair: 'Repair adds `"thinking": ""`.',
}
