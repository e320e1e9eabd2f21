/**
 * Results that stood in no slot: given by id to the calls that still wait, or told apart as second answers and orphans.
 * Linear: calls of one id wait in a queue, and each stray only moves on in it.
 */
import { isBefore, type Part } from './part.ts'

/** A result that did not stand in the slot of a call still waiting for it. */
export interface Stray {
  part: Part
  /** It stood in the slot of a round that has a call of its id: a second answer, if that call had one. */
  inSlot: boolean
  /** Place in `calls` of the round in whose slot, or behind whose slot, it stood; -1: none. */
  readonly round: number
  /** How many prompts had come before it. */
  readonly breaks: number
  /** Place in `calls` of the call it was given to afterwards, or of the one it repeats; -1: none. */
  call: number
  fate: 'misplaced' | 'early' | 'duplicate' | 'orphan'
  /** The answer that had to give way to this one. */
  loser?: Part
}

/** Whether the second of two results for one call is the one to keep. */
export type Better = (first: Part, second: Part) => boolean

/** Calls of one id that wait, in order, and how many of them are settled. */
interface Queue {
  readonly calls: number[]
  next: number
}

/** What has been paired so far. */
interface Paired {
  readonly count: number
  readonly strays: readonly Stray[]
  callAt(call: number): Part
  answerAt(call: number): Part | undefined
  give(call: number, part: Part): void
}

export function matchStrays(
  paired: Paired,
  waiting: readonly number[],
  keyOf: (part: Part) => string,
  better: Better,
): void {
  const { strays } = paired
  if (strays.length === 0) return
  const queues = new Map<string, Queue>()
  for (const call of waiting) {
    const key = keyOf(paired.callAt(call))
    const queue = queues.get(key)
    if (queue) queue.calls.push(call)
    else queues.set(key, { calls: [call], next: 0 })
  }
  for (const stray of strays) takeEarlier(paired, stray, queues.get(keyOf(stray.part)))
  for (const stray of strays) if (stray.call < 0) takeLater(paired, stray, queues.get(keyOf(stray.part)))
  if (strays.every((stray) => stray.call >= 0)) return
  const last = new Map<string, number>()
  let next = 0
  for (const stray of strays) {
    while (next < paired.count && isBefore(paired.callAt(next), stray.part))
      last.set(keyOf(paired.callAt(next)), next++)
    if (stray.call < 0) markDuplicate(paired, stray, last.get(keyOf(stray.part)), better)
  }
}

/** The earliest call of its id before it that nothing answers. */
function takeEarlier(paired: Paired, stray: Stray, queue: Queue | undefined): void {
  const call = queue?.calls[queue.next]
  if (call === undefined || !isBefore(paired.callAt(call), stray.part)) return
  queue!.next++
  give(paired, stray, call, 'misplaced')
}

/** Else the nearest one after it; strays come in order, so the place in the queue only moves on. */
function takeLater(paired: Paired, stray: Stray, queue: Queue | undefined): void {
  if (!queue) return
  while (queue.next < queue.calls.length && isBefore(paired.callAt(queue.calls[queue.next]!), stray.part)) queue.next++
  const call = queue.calls[queue.next++]
  if (call !== undefined) give(paired, stray, call, 'early')
}

function give(paired: Paired, stray: Stray, call: number, fate: Stray['fate']): void {
  stray.call = call
  stray.fate = fate
  paired.give(call, stray.part)
}

function markDuplicate(paired: Paired, stray: Stray, call: number | undefined, better: Better): void {
  if (call === undefined) return
  stray.call = call
  stray.fate = 'duplicate'
  // The slot of a later round is none of this call's.
  stray.inSlot &&= call >= stray.round
  const first = paired.answerAt(call)
  if (!first || !better(first, stray.part)) return
  paired.give(call, stray.part)
  if (stray.inSlot) {
    stray.part = first
  } else {
    stray.fate = 'misplaced'
    stray.loser = first
  }
}
