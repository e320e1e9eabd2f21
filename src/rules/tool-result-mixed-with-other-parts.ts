import { type Bound, defineRule, type Explanation } from '../core/index.ts'
import { carriesResults } from './lib/neighbors.ts'

export interface ToolResultMixedWithOtherParts {
  /** Native types of parts that may be beside results. */
  readonly beside?: readonly string[]
}

export const toolResultMixedWithOtherParts = defineRule({
  id: 'tool-result-mixed-with-other-parts',
  phase: 'structure',
  about: () => ({ parts: ['results'] }),
  repair: 'safe',
  messages: {
    mixed:
      'Message {index} has other parts ({count}) beside its tool results; {rejects} that. {Repair} moves them into a message of their own.',
  },
  check(t, { beside = [] }: Bound<ToolResultMixedWithOtherParts>, report) {
    if (!t.dialect.blocks) return
    // A result of the provider's own tool belongs into the assistant's turn; elsewhere it counts as any other.
    for (let i = 0; i < t.history.length; i++) {
      if (t.isAssistant(i) || !carriesResults(t, i)) continue
      const others = t
        .partsOf(i)
        .filter(({ kind, index, type }) => kind !== 'result' && index >= 0 && !beside.includes(type))
      if (others.length > 0)
        report(
          'mixed',
          [i],
          { count: others.length },
          others.map((part) => ({ do: 'split-out', part })),
        )
    }
  },
})

export const explanation: Explanation = {
  summary: 'Tool results are in a turn of their own.',
  why: 'Some models reject results in the same turn as text or media.',
  repair: 'Repair moves the other parts into a turn after the results.',
}
