/**
 * Results of one round that stand in more than one message, where results are blocks and one message could hold them all.
 */
import type { Bound, Walk } from '../core/index.ts'

export function reportSplits(walk: Walk, bound: Bound): void {
  if (!walk.dialect.blocks) return
  const { pairing } = walk
  for (let from = 0; from < pairing.count; ) {
    let split = false
    let first = -1
    let to = from
    for (; to < pairing.count && pairing.roundOf(to) === from; to++) {
      const message = pairing.answerMessageOf(to)
      if (first < 0) first = message
      else if (message >= 0 && message !== first) split = true
    }
    if (split) report(from, to, bound, walk)
    from = to
  }
}

function report(from: number, to: number, bound: Bound, walk: Walk): void {
  const messages: number[] = []
  for (let call = from; call < to; call++) messages.push(walk.pairing.answerMessageOf(call))
  const places = messages.filter((message) => message >= 0)
  const data = { results: places.length, messages: new Set(places).size }
  walk.report(bound, 'split', [walk.pairing.messageOf(from)], data, [{ do: 'settle', call: from }])
}
