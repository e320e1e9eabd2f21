import { defineRule, type Explanation } from '../core/index.ts'
import { lastAssistant, promptBefore, promptFrom, reasoningOf, remember, removals, signed } from './thinking.ts'

export const explanation: Explanation = {
  says: 'The thinking of the latest turn comes back as it was given, in its order.',
  why: 'Blocks that were filtered, merged or moved are refused.',
  refusals: [/`?thinking`? or `?redacted_thinking`? blocks in the latest assistant message cannot be modified/i],
}

/** Cannot be seen in a history: acts only after a refusal. */
export const thinkingBlockModified = defineRule({
  id: 'thinking-block-modified',
  repair: 'lossy',
  quiet: signed,
  messages: { modified: 'Thinking of the latest turn was changed: its {count} blocks go.' },
  checks: {
    reasoning: remember,
    end(walk, bound) {
      if (!bound.refused) return
      const last = lastAssistant(walk)
      const from = promptBefore(last, walk)
      const to = promptFrom(last, walk)
      const gone = reasoningOf(walk).filter(({ message }) => message > from && message < to)
      if (gone.length > 0) walk.report(bound, 'modified', gone[0]!, { count: gone.length }, removals(gone))
    },
  },
})
