import { defineAfterRejection, type Explanation } from '../../core/index.ts'
import { promptBefore, promptFrom, removals } from '../lib/thinking.ts'

export const thinkingBlockModified = defineAfterRejection({
  id: 'thinking-block-modified',
  phase: 'structure',
  about: () => ({ parts: ['reasoning'] }),
  repair: 'lossy',
  messages: {
    modified:
      '{provider} rejected the thinking of the latest turn as modified. {Repair} removes its thinking blocks ({count}).',
  },
  check(t, _constraint, report) {
    const last = t.lastAssistant()
    const from = promptBefore(t, last)
    const to = promptFrom(t, last)
    const gone = t.reasoning.filter(({ message }) => message > from && message < to)
    if (gone.length > 0) report('modified', gone[0]!, { count: gone.length }, removals(gone))
  },
})

export const explanation: Explanation = {
  summary: 'The thinking blocks of the latest assistant turn are sent back unchanged and in order.',
  why: 'Blocks that were filtered, merged or moved are rejected.',
  repair: 'Repair removes all thinking of that reply.',
}
