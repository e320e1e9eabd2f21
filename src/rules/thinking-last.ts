import { type Bound, defineRule, type Explanation, type NoParams, valueAt } from '../core/index.ts'
import { INTERRUPTED } from './lib/filler-texts.ts'
import { textBlock } from './lib/text-block.ts'
import { isBlanked } from './lib/thinking.ts'

/** Adds a short text after the reasoning, in every turn: removing reasoning would break the chain of signatures. */
export const thinkingLast = defineRule({
  id: 'thinking-last',
  phase: 'structure',
  about: () => ({ parts: ['reasoning'] }),
  repair: 'safe',
  messages: { last: 'Message {index} ends with reasoning; {rejects} that. {Repair} adds a short text after it.' },
  check(t, { rejected }: Bound<NoParams>, report) {
    for (const part of t.reasoning) {
      const { message, index, list } = part
      if (!t.isAssistant(message) || t.parts[t.starts[message + 1]! - 1] !== part || index < 0) continue
      // Reasoning without a signature, or with an emptied one, goes by a rule of its own; redacted reasoning stays.
      const isSigned = part.signature !== undefined && part.signature !== null && !isBlanked(part)
      if (!isSigned && !rejected) continue
      const key = t.contentKey
      const blocks = valueAt(t.history[message], list) as readonly unknown[]
      const value = [...blocks, textBlock(t, INTERRUPTED)]
      report('last', part, {}, [{ do: 'set', message, key, value }])
    }
  },
})

export const explanation: Explanation = {
  summary: 'An assistant message does not end with reasoning.',
  why: 'A response that was aborted after its reasoning is stored without text or calls, and every later request is rejected.',
  repair: 'Repair adds a short marked text after the reasoning.',
}
