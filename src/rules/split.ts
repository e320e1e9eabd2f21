/**
 * Results of one round that stand in more than one message, where results are blocks and one message could hold them all.
 */
import type { Bound, Walk } from '../core/index.ts'

export function reportSplits(walk: Walk, bound: Bound): void {
  if (!walk.dialect.blocks) return
  const { calls, answers, rounds } = walk.pairing
  for (let from = 0; from < calls.length; ) {
    const messages = new Set<number>()
    let results = 0
    let to = from
    for (; to < calls.length && rounds[to] === from; to++) {
      const answer = answers[to]
      if (!answer) continue
      messages.add(answer.message)
      results++
    }
    if (messages.size > 1) {
      const data = { results, messages: messages.size }
      walk.report(bound, 'split', [calls[from]!.message], data, [{ do: 'settle', call: from }])
    }
    from = to
  }
}
