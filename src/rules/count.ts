/**
 * How many calls a round makes and how many results stand in its slot, whatever they say they answer: who counts sees no more than that.
 */
import { HAS_RESULT, type Part, ROLE, type Stray, type Walk } from '../core/index.ts'
import { shared } from './memory.ts'
import { kinOf } from './wanted.ts'

export interface Count {
  readonly calls: number
  results: number
}

interface Counts {
  /** By the place of a round's first call; a round in which each call has its result is not there. */
  readonly rounds: Map<number, Count>
  /** Strays that stand in the slot of the round they follow. */
  readonly near: Set<Part>
  /** Rounds with a call for which there is no result of its id. */
  readonly bare: Set<number>
}

/** The counts of the round that this call belongs to. */
export function countOf(call: number, walk: Walk): Count {
  return countsOf(walk).rounds.get(walk.pairing.roundOf(call))!
}

/**
 * Why a result that answers nothing may pass with some, by what its turn looks like to them: `counted` as many results as calls, `shared` a
 * result for each id, `twin` both. Undefined: it does not stand in a slot, or its turn fails anyway.
 */
export function passOf({ part, round }: Stray, walk: Walk): 'counted' | 'shared' | 'twin' | undefined {
  if (round < 0 || !countsOf(walk).near.has(part)) return undefined
  const { calls, results } = countOf(round, walk)
  const named = !countsOf(walk).bare.has(round)
  if (results === calls) return named ? 'twin' : 'counted'
  return results < calls && named ? 'shared' : undefined
}

/** Who pairs by id alone sees a result for each of the calls that have it, as far as a slot reaches. Asked of calls that have none. */
export function isShared(call: number, walk: Walk): boolean {
  const named = shared(walk, 'answered ids', answeredIds)
  return named.has(keyOf(walk.pairing.callAt(call), walk.pairing.roundOf(call), walk))
}

/** The ids of the results that a call without one might share: no more than that, since every id means a part that has to be read. */
function answeredIds(walk: Walk): Set<string> {
  const { pairing, dialect } = walk
  const named = new Set<string>()
  const take = (call: number) => {
    if (pairing.isAnswered(call)) named.add(keyOf(pairing.answerAt(call)!, pairing.roundOf(call), walk))
  }
  if (dialect.slot === 'anywhere') for (const call of kinOf(walk)) take(call)
  else
    for (const from of troubled(walk)) for (let i = from; i < pairing.count && pairing.roundOf(i) === from; i++) take(i)
  for (const { part, round } of pairing.strays) named.add(keyOf(part, round, walk))
  return named
}

/** The rounds, by first call, with a call that waited in vain or with a stray: in all others each call has its result in its slot. */
export function troubled(walk: Walk): readonly number[] {
  return shared(walk, 'troubled rounds', ({ pairing }) => {
    const rounds = new Set(pairing.waiting.map((call) => pairing.roundOf(call)))
    for (const { round } of pairing.strays) if (round >= 0) rounds.add(round)
    return [...rounds].sort((a, b) => a - b)
  })
}

function keyOf(part: Part, round: number, { dialect }: Walk): string {
  const reach = dialect.slot === 'anywhere' ? '' : round
  return `${dialect.family?.(part) ?? ''} ${reach} ${part.id ?? ''}`
}

export function countsOf(walk: Walk): Counts {
  return shared(walk, 'counts', newCounts)
}

function newCounts(walk: Walk): Counts {
  const counts: Counts = { rounds: new Map(), near: new Set(), bare: new Set() }
  const { pairing } = walk
  const { strays } = pairing
  const away = new Set(strays.filter(({ fate }) => fate === 'misplaced' || fate === 'early').map(({ part }) => part))
  for (const from of troubled(walk)) {
    let to = from
    let results = 0
    for (; to < pairing.count && pairing.roundOf(to) === from; to++) {
      const answered = pairing.isAnswered(to)
      if (answered && (away.size === 0 || !away.has(pairing.answerAt(to)!))) results++
      if (!answered && !isShared(to, walk)) counts.bare.add(from)
    }
    counts.rounds.set(from, { calls: to - from, results })
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
      reached = pairing.messageOf(round)
    }
    while (reached < stray.part.message && isSlot(outlines[reached + 1]!)) reached++
    // The assistant answers nobody.
    if (reached !== stray.part.message || (outlines[reached]! & 7) === ROLE.assistant) continue
    near.add(stray.part)
    rounds.get(round)!.results++
  }
}

function isSlot(outline: number): boolean {
  const role = outline & 7
  return role === ROLE.assistant || role === ROLE.tool || (outline & HAS_RESULT) !== 0
}
