/**
 * Calls and results as the provider sees them: by the keys it reads and in its own way of pairing. Where its own look at a turn finds no
 * fault, what our pairing finds there is worth a warning and no more.
 * Turn by turn, so that what is appended to a history never changes what is said of a turn before it.
 */
import type { Bound, Stray, Walk } from '../core/index.ts'
import { shared } from './memory.ts'
import { byIds, byNumber, type IsFaulty, inBlocks, inList, inSlots, inTurns, type Refuses } from './seen-ways.ts'

/**
 * By the law fact `seen` of tool-result-missing. `slot`: a result for each id behind the message that calls, and none of another id ·
 * `number`: as many results as calls there; where both sides have ids, those of the calls · `turn`: as many result parts as call
 * parts, whatever their ids · `blocks`: a result for each id at the head of what is said behind the answer · `list`: a result for each id anywhere, and none of another id.
 */
const ways: Readonly<Record<string, (walk: Walk, refuses: Refuses) => IsFaulty>> = {
  slot: (walk, refuses) => inSlots(walk, (turn) => byIds(turn, refuses)),
  number: (walk) => inSlots(walk, byNumber),
  turn: inTurns,
  blocks: inBlocks,
  list: inList,
}

/** The bound as it is, or as a warning where the provider finds no fault in the turns of these messages. */
export function asSeen(bound: Bound, walk: Walk, ...messages: readonly number[]): Bound {
  if (bound.severity !== 'error' || bound.refused) return bound
  const isFaulty = faultsOf(walk)
  if (isFaulty === null || messages.some(isFaulty)) return bound
  return { ...bound, severity: 'warning' }
}

/** The same for a result that stands in no slot, and the call it was given to. */
export function strayAsSeen(bound: Bound, { part, call }: Stray, walk: Walk): Bound {
  return asSeen(bound, walk, part.message, call < 0 ? part.message : walk.pairing.messageOf(call))
}

/** Whether the provider finds fault in the turn of a message; null: nothing is known of how it looks. */
export function faultsOf(walk: Walk): IsFaulty | null {
  return shared(walk, 'seen faults', () => {
    const { bounds } = walk.plan
    const sure = bounds.get('tool-result-missing')?.filter(({ severity }) => severity === 'error') ?? []
    // Several ways at once: there is no one whose look could be trusted.
    const named = new Set(sure.map(({ law }) => law['seen'] as string | undefined))
    const way = named.size === 1 ? ways[[...named][0] ?? ''] : undefined
    const refuses = (rule: string) => bounds.get(rule)?.some(({ severity }) => severity === 'error') ?? false
    return way ? way(walk, refuses) : null
  })
}
