import { defineRule, type Explanation, type Part, type Step, silent, type Walk } from '../core/index.ts'
import { isMended } from './mends.ts'

export const explanation: Explanation = {
  says: 'The text that the assistant is to go on from does not end in white space.',
  why: 'Anthropic refuses a prefill that ends in a blank or a line break.',
  refusals: [/final assistant content cannot end with trailing whitespace/i],
}

export const trailingWhitespace = defineRule({
  id: 'trailing-whitespace',
  repair: 'safe',
  quiet: silent,
  aside: true,
  messages: { trailing: 'The last text ends in white space.' },
  checks: {
    message({ index, role, parts }, bound, walk) {
      if (role !== 'assistant' || !walk.sending || index !== walk.history.length - 1) return
      const last = parts.at(-1)
      if (last?.kind !== 'text' || typeof last.body !== 'string' || last.body.trimEnd() === last.body) return
      if (!isFollowed(parts, walk)) walk.report(bound, 'trailing', last, {}, trim(parts))
    },
  },
})

/** Blank texts at the end go, so that the last one left is trimmed too. */
function trim(parts: readonly Part[]): readonly Step[] {
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

/** Something will be put behind it: then it is not the last text, and stays as it is. */
function isFollowed(parts: readonly Part[], walk: Walk): boolean {
  if (parts.some((part) => part.kind === 'call' && !part.server)) return true
  return isMended('last-assistant-prefill', walk)
}
