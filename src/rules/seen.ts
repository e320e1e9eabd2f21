/**
 * Calls and results as the provider sees them: by the keys it reads and in its own way of pairing. Where its own look at a turn finds no
 * fault, what our pairing finds there is worth a warning and no more.
 * Turn by turn, so that what is appended to a history never changes what is said of a turn before it.
 */
import type { Bound, Stray, Walk } from '../core/index.ts'
import { shared } from './memory.ts'
import { byIds, byNumber, inList, inTurns, type Seen, slots } from './seen-ways.ts'

/**
 * By the law fact `seen` of tool-result-missing. `slot`: a result for each id behind the message that calls, and none of another id ·
 * `number`: as many results as calls there; where both sides have ids, those of the calls · `turn`: as many result parts as call
 * parts, whatever their ids · `list`: a result for each id anywhere, and none of another id.
 */
const ways: Readonly<Record<string, (walk: Walk, refuses: (rule: string) => boolean) => readonly Seen[]>> = {
  slot: ({ history }, refuses) => slots(history).filter((turn) => byIds(turn, refuses)),
  number: ({ history }) => slots(history).filter(byNumber),
  turn: inTurns,
  list: inList,
}

/** The bound as it is, or as a warning where the provider finds no fault in the turns of these messages. */
export function asSeen(bound: Bound, walk: Walk, ...messages: readonly number[]): Bound {
  if (bound.severity !== 'error' || bound.refused) return bound
  const faults = faultsOf(walk)
  if (faults === null || messages.some((message) => faults.has(message))) return bound
  return { ...bound, severity: 'warning' }
}

/** The same for a result that stands in no slot, and the call it was given to. */
export function strayAsSeen(bound: Bound, { part, call }: Stray, walk: Walk): Bound {
  return asSeen(bound, walk, part.message, call < 0 ? part.message : walk.pairing.messageOf(call))
}

/** Places of all messages of turns in which the provider finds fault; null: nothing is known of how it looks. */
function faultsOf(walk: Walk): ReadonlySet<number> | null {
  return shared(walk, 'seen faults', () => {
    const turns = faultyTurns(walk)
    return turns && new Set(turns.flatMap(({ messages }) => messages))
  })
}

/** Turns in which the provider finds fault. */
export function faultyTurns(walk: Walk): readonly Seen[] | null {
  return shared(walk, 'seen turns', () => {
    const { bounds } = walk.plan
    const sure = bounds.get('tool-result-missing')?.filter(({ severity }) => severity === 'error') ?? []
    // Several ways at once: there is no one whose look could be trusted.
    const named = new Set(sure.map(({ law }) => law['seen'] as string | undefined))
    const way = named.size === 1 ? ways[[...named][0] ?? ''] : undefined
    const refuses = (rule: string) => bounds.get(rule)?.some(({ severity }) => severity === 'error') ?? false
    return way ? way(walk, refuses) : null
  })
}
