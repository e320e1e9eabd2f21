/**
 * Results that were not where their call expects them: given by id to unanswered calls, or marked as duplicates and
 * orphans. Linear: calls of one id wait in a queue, and each result only moves on in it.
 */
import { isBefore, type Part } from './part.ts'

/** A result that is not where its call expects it. */
export interface UnmatchedResult {
  part: Part
  /** It is where the results of a round with a call of its id belong: a second answer, if that call had one. */
  inSlot: boolean
  /** First call of the round that was open, or just ended, where it was found; -1: none. */
  readonly round: number
  /** Number of prompts before it. */
  readonly prompts: number
  /** The call that it was given to afterwards, or that it repeats; -1: none. */
  call: number
  outcome: 'misplaced' | 'early' | 'duplicate' | 'orphan'
  /** The result that this one replaced. */
  replaced?: Part
}

/** Whether the second of two results for one call is the one to keep. */
export type PreferSecond = (first: Part, second: Part) => boolean

/** Calls of one id that wait, in order, and how many of them are settled. */
interface Queue {
  readonly calls: number[]
  next: number
}

interface Paired {
  readonly calls: readonly Part[]
  readonly results: (Part | undefined)[]
  readonly unmatched: readonly UnmatchedResult[]
  readonly waiting: readonly number[]
}

export function matchUnmatched(paired: Paired, keyOf: (part: Part) => string, prefer: PreferSecond): void {
  const { unmatched, calls } = paired
  if (unmatched.length === 0) return
  const queues = queuesOf(paired, keyOf)
  for (const result of unmatched) takeEarlier(paired, result, queues.get(keyOf(result.part)))
  for (const result of unmatched) if (result.call < 0) takeLater(paired, result, queues.get(keyOf(result.part)))
  if (unmatched.every((result) => result.call >= 0)) return
  const last = new Map<string, number>()
  let next = 0
  for (const result of unmatched) {
    while (next < calls.length && isBefore(calls[next]!, result.part)) last.set(keyOf(calls[next]!), next++)
    if (result.call < 0) markDuplicate(paired, result, last.get(keyOf(result.part)), prefer)
  }
}

function queuesOf({ waiting, calls }: Paired, keyOf: (part: Part) => string): Map<string, Queue> {
  const queues = new Map<string, Queue>()
  for (const call of waiting) {
    const key = keyOf(calls[call]!)
    const queue = queues.get(key)
    if (queue) queue.calls.push(call)
    else queues.set(key, { calls: [call], next: 0 })
  }
  return queues
}

/** The earliest call of its id before it that has no result. */
function takeEarlier(paired: Paired, result: UnmatchedResult, queue: Queue | undefined): void {
  const call = queue?.calls[queue.next]
  if (call === undefined || !isBefore(paired.calls[call]!, result.part)) return
  queue!.next++
  give(paired, result, call, 'misplaced')
}

/** Else the nearest one after it; results come in order, so the place in the queue only moves on. */
function takeLater(paired: Paired, result: UnmatchedResult, queue: Queue | undefined): void {
  if (!queue) return
  while (queue.next < queue.calls.length && isBefore(paired.calls[queue.calls[queue.next]!]!, result.part)) queue.next++
  const call = queue.calls[queue.next++]
  if (call !== undefined) give(paired, result, call, 'early')
}

function give(paired: Paired, result: UnmatchedResult, call: number, outcome: UnmatchedResult['outcome']): void {
  result.call = call
  result.outcome = outcome
  paired.results[call] = result.part
}

function markDuplicate(paired: Paired, result: UnmatchedResult, call: number | undefined, prefer: PreferSecond): void {
  if (call === undefined) return
  result.call = call
  result.outcome = 'duplicate'
  // Being in the place of a later round does not make it a second answer of this call.
  result.inSlot &&= call >= result.round
  const first = paired.results[call]
  if (!first || !prefer(first, result.part)) return
  paired.results[call] = result.part
  if (result.inSlot) {
    result.part = first
  } else {
    result.outcome = 'misplaced'
    result.replaced = first
  }
}
