import { type Bound, defineRule, type Explanation, isObject, looseText, type NoParams, own } from '../core/index.ts'

export const reasoningSummaryMissing = defineRule({
  id: 'reasoning-summary-missing',
  phase: 'shape',
  about: () => ({ parts: ['reasoning'] }),
  repair: 'safe',
  messages: {
    missing: 'The reasoning item {index} has no summary; {rejects} that. {Repair} adds an empty one.',
  },
  check(t, _constraint: Bound<NoParams>, report) {
    for (const part of t.reasoning) {
      const summary = own(part.value, 'summary')
      if (!isObject(part.value) || Array.isArray(summary)) continue
      const text = looseText(summary)
      const value = text.trim() === '' ? [] : [{ type: 'summary_text', text }]
      report('missing', part, {}, [{ do: 'set-part', part, key: 'summary', value }])
    }
  },
})

export const explanation: Explanation = {
  summary: 'A reasoning item has a `summary`, even if it is empty.',
  why: 'Requests of clients that omit an empty list are rejected from the second turn on.',
  repair: 'Repair adds an empty list.',
}
