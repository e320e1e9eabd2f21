/**
 * Results of one round that stand in more than one message, where results are blocks and one message could hold them all.
 */
import { type Bound, type Part, ROLE, type Walk } from '../core/index.ts'
import { countsOf } from './count.ts'
import { addTo, shared } from './memory.ts'

export function reportSplits(walk: Walk, bound: Bound): void {
  if (!walk.dialect.blocks) return
  const { pairing } = walk
  const near = nearOf(walk)
  for (let from = 0; from < pairing.count; ) {
    const extra = near.get(from)
    let split = extra?.some((message) => message !== extra[0]) ?? false
    let first = extra?.[0] ?? -1
    let to = from
    for (; to < pairing.count && pairing.roundOf(to) === from; to++) {
      const message = slotOf(to, walk)
      if (first < 0) first = message
      else if (message >= 0 && message !== first) split = true
    }
    if (split) report(from, to, extra ?? [], bound, walk)
    from = to
  }
}

/** The message of its slot in which a call is answered; -1: none. The assistant answers nobody. */
function slotOf(call: number, walk: Walk): number {
  const { pairing, outlines } = walk
  const message = pairing.answerMessageOf(call)
  if (message < 0 || (outlines[message]! & 7) === ROLE.assistant) return -1
  return pairing.strays.length > 0 && awayOf(walk).has(pairing.answerAt(call)!) ? -1 : message
}

/** Answers that stand in the slot of another round, or in none. */
function awayOf(walk: Walk): ReadonlySet<Part> {
  return shared(walk, 'answers away', () => new Set(walk.pairing.strays.map(({ part }) => part)))
}

/** Where strays stand in the slot of a round, by the place of its first call. */
function nearOf(walk: Walk): ReadonlyMap<number, readonly number[]> {
  const near = new Map<number, number[]>()
  for (const { part, round } of walk.pairing.strays) {
    if (!countsOf(walk).near.has(part)) continue
    addTo(near, round, part.message)
  }
  return near
}

function report(from: number, to: number, extra: readonly number[], bound: Bound, walk: Walk): void {
  const places = [...extra]
  for (let call = from; call < to; call++) {
    const message = slotOf(call, walk)
    if (message >= 0) places.push(message)
  }
  const data = { results: places.length, messages: new Set(places).size }
  walk.report(bound, 'split', [walk.pairing.messageOf(from)], data, [{ do: 'settle', call: from }])
}
