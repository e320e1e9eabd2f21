import { type Bound, defineRule, type Explanation, type NoParams } from '../core/index.ts'

const NUL = '\u0000'

/** Only texts that are results as a whole are looked at: one native search each, and nothing is walked. */
export const controlCharacter = defineRule({
  id: 'control-character',
  phase: 'shape',
  about: () => ({ parts: ['results'] }),
  repair: 'lossy',
  messages: {
    nul: 'The result for call {call} in message {index} contains NUL characters, which {rejects}. {Repair} replaces them with U+FFFD.',
  },
  check(t, _constraint: Bound<NoParams>, report) {
    for (const part of t.results) {
      const { body } = part
      if (typeof body !== 'string' || !body.includes(NUL)) continue
      const result = body.replaceAll(NUL, '\ufffd')
      report('nul', part, { call: part.id ?? '(no id)' }, [{ do: 'write', part, change: { result } }])
    }
  },
})

export const explanation: Explanation = {
  summary: 'The output of a tool is text without NUL characters.',
  why: 'Binary output in a result was reported to cause rejections that name no reason, and databases do not store NUL.',
  // Rejected without a reason, so no text leads here.
  repair: 'Repair replaces each NUL by U+FFFD.',
}
