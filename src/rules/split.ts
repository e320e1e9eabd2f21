/**
 * Results of one round that stand in more than one message, where results are blocks and one message could hold them all.
 */
import type { Bound, Walk } from '../core/index.ts'
import { countsOf } from './count.ts'

export function reportSplits(walk: Walk, bound: Bound): void {
  if (!walk.dialect.blocks) return
  const { calls, answers, rounds, strays } = walk.pairing
  const near = new Map<number, number[]>()
  for (const { part, round } of strays) {
    if (countsOf(walk).near.has(part)) near.set(round, [...(near.get(round) ?? []), part.message])
  }
  for (let from = 0; from < calls.length; ) {
    const messages = new Set<number>(near.get(from))
    let results = near.get(from)?.length ?? 0
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
