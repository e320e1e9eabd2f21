import {
  type Bound,
  defineRule,
  type Explanation,
  type Fix,
  HAS_CALL,
  type NoParams,
  type Part,
  type Step,
} from '../core/index.ts'

export const trailingWhitespace = defineRule({
  id: 'trailing-whitespace',
  phase: 'structure',
  repair: 'safe',
  neutral: true,
  messages: {
    trailing:
      'The last text, in message {index}, ends with whitespace; {rejects} that. {Repair} removes the whitespace.',
  },
  check(t, _constraint: Bound<NoParams>, report) {
    const index = t.history.length - 1
    if (t.inProgress || index < 0 || !t.isAssistant(index) || (t.flags[index]! & HAS_CALL) !== 0) return
    const parts = t.partsOf(index)
    const last = parts.at(-1)
    if (last?.kind !== 'text' || typeof last.body !== 'string' || last.body.trimEnd() === last.body) return
    report('trailing', last, {}, trim(parts))
  },
})

/** Blank texts at the end go, so that the last one left is trimmed too. */
function trim(parts: readonly Part[]): Fix {
  const steps: Step[] = []
  for (let i = parts.length - 1; i >= 0; i--) {
    const part = parts[i]!
    if (part.kind !== 'text' || typeof part.body !== 'string') break
    const text = part.body.trimEnd()
    if (text !== '' && text !== part.body) steps.push({ do: 'write', part, change: { text } })
    if (text !== '') break
    steps.push({ do: 'remove', part })
  }
  return steps
}

export const explanation: Explanation = {
  summary: 'The assistant text that the model continues does not end in white space.',
  why: 'Anthropic rejects a prefill that ends in a space or a line break.',
  repair: 'Repair trims that one text.',
}
