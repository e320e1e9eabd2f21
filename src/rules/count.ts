/**
 * How many calls a round makes and how many results stand in its slot, whatever they say they answer: who counts sees no more than that.
 */
import { HAS_RESULT, type Part, ROLE, type Stray, type Walk } from '../core/index.ts'

export interface Count {
  readonly calls: number
  results: number
}

interface Counts {
  /** By the place of a round's first call. */
  readonly rounds: Map<number, Count>
  /** Strays that stand in the slot of the round they follow. */
  readonly near: Set<Part>
}

/** The counts of the round that this call belongs to. */
export function countOf(call: number, walk: Walk): Count {
  return countsOf(walk).rounds.get(walk.pairing.rounds[call]!)!
}

/** Whether a stray only fails by what it says: it stands in a slot that has no more results than calls. */
export function isCounted({ part, round }: Stray, walk: Walk): boolean {
  if (round < 0 || !countsOf(walk).near.has(part)) return false
  const { calls, results } = countOf(round, walk)
  return results <= calls
}

export function countsOf(walk: Walk): Counts {
  const known = walk.memory.get('counts') as Counts | undefined
  if (known) return known
  const counts: Counts = { rounds: new Map(), near: new Set() }
  walk.memory.set('counts', counts)
  const { calls, answers, rounds, strays } = walk.pairing
  const away = new Set(strays.filter(({ fate }) => fate === 'misplaced' || fate === 'early').map(({ part }) => part))
  for (let from = 0; from < calls.length; ) {
    let to = from
    let results = 0
    for (; to < calls.length && rounds[to] === from; to++) {
      const answer = answers[to]
      if (answer && !away.has(answer)) results++
    }
    counts.rounds.set(from, { calls: to - from, results })
    from = to
  }
  addStrays(walk, counts)
  return counts
}

/** Strays come in order, so each slot is walked once. */
function addStrays({ pairing, outlines }: Walk, { rounds, near }: Counts): void {
  let round = -1
  let reached = 0
  for (const stray of pairing.strays) {
    if (stray.round < 0) continue
    if (stray.round !== round) {
      round = stray.round
      reached = pairing.calls[round]!.message
    }
    while (reached < stray.part.message && isSlot(outlines[reached + 1]!)) reached++
    if (reached !== stray.part.message) continue
    near.add(stray.part)
    rounds.get(round)!.results++
  }
}

function isSlot(outline: number): boolean {
  const role = outline & 7
  return role === ROLE.assistant || role === ROLE.tool || (outline & HAS_RESULT) !== 0
}
