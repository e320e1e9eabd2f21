import { type Bound, defineRule, type Explanation, type NoParams } from '../core/index.ts'

const NO_MESSAGE = 'The tool failed and gave no message.'

export const toolResultErrorEmpty = defineRule({
  id: 'tool-result-error-empty',
  phase: 'shape',
  about: () => ({ parts: ['results'] }),
  repair: 'safe',
  messages: {
    empty: 'The failed result for call {call} in message {index} is empty; {rejects} it. {Repair} writes a short text.',
  },
  check(t, _constraint: Bound<NoParams>, report) {
    for (const part of t.results) {
      if (!part.failed) continue
      const { text, media } = t.dialect.content(part)
      if (text === '' && media.length === 0)
        report('empty', part, { call: part.id ?? '(no id)' }, [{ do: 'write', part, change: { result: NO_MESSAGE } }])
    }
  },
})

export const explanation: Explanation = {
  summary: 'A result with an error status has content.',
  why: 'A failed result without content is rejected.',
  repair: 'Repair adds a short text.',
}
