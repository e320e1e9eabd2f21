/**
 * Which result answers which call: by place first, then by id, never by membership in a set.
 * Fed by the one walk, in order; knows roles and ids, nothing of a dialect.
 */
import type { Dialect } from './dialect.ts'
import { type Outline, type Part, ROLE } from './part.ts'

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

/** A round wider than this is searched by a map: ten thousand parallel calls may be answered in any order. */
const WIDE = 16

export class Pairing {
  /** All client-side calls, in order, and the result each one has. */
  readonly calls: Part[] = []
  readonly answers: (Part | undefined)[] = []
  /** For each call the place in `calls` where its round begins. */
  readonly rounds: number[] = []
  readonly strays: Stray[] = []
  readonly serverOrphans: Part[] = []
  readonly serverOpen = new Map<string, Part>()

  private readonly slot: Dialect['slot']
  private readonly breaksAt: number[] = []
  private readonly closed: number[] = []
  private roundStart = 0
  private pendingFrom = 0
  private cursor = 0
  private breaks = 0
  /** Something other than a result stood behind the round's calls: its slot is over. */
  private ended = true
  private answered = false
  /** The assistant spoke on behind its calls without making another. */
  private wentOn = false
  private foreign = false
  private wide: Map<string, number[]> | undefined

  constructor(slot: Dialect['slot']) {
    this.slot = slot
  }

  /** A new message begins; its parts follow. */
  message(role: Outline, before: Outline): void {
    this.foreign = role !== ROLE.assistant
    if (role === ROLE.assistant) {
      const joins = this.slot !== 'next' && (before & 7) === ROLE.assistant && !this.answered
      if (!joins) this.close()
      this.wentOn = joins
      return
    }
    if (role === ROLE.tool) return
    this.breaks++
    if (this.slot === 'next') this.ended = true
  }

  other(role: Outline): void {
    // What else a tool's message holds, such as an approval, does not end the slot.
    if (role !== ROLE.assistant && role !== ROLE.tool) this.ended = true
  }

  call(part: Part, role: Outline = ROLE.assistant): void {
    if (role !== ROLE.assistant && this.calls.at(-1)?.message !== part.message) this.close()
    // A call that another role makes opens a round of its own: no result before it can be its answer.
    if (this.foreign) this.close()
    this.foreign = false
    this.rounds.push(this.roundStart)
    this.breaksAt.push(this.breaks)
    this.answers.push(undefined)
    this.calls.push(part)
    this.ended = this.wentOn = false
    this.wide = undefined
  }

  result(part: Part, role: Outline = ROLE.tool): void {
    // An assistant does not answer its own calls: what stands in its message is nowhere near a slot.
    const open = role !== ROLE.assistant && (this.slot === 'anywhere' || !this.ended)
    const found = open ? this.find(part) : -1
    if (found < 0) {
      const round = this.calls.length > this.roundStart ? this.roundStart : -1
      const inSlot = open && this.inRound(part)
      this.strays.push({ part, inSlot, round, breaks: this.breaks, call: -1, fate: 'orphan' })
      return
    }
    this.answers[found] = part
    this.answered = true
    this.cursor = found + 1
  }

  server(part: Part): void {
    if (part.id === undefined) return
    if (part.kind === 'call') this.serverOpen.set(part.id, part)
    else if (!this.serverOpen.delete(part.id) && part.kind === 'result') this.serverOrphans.push(part)
  }

  /** After the last message: gives what is left to the calls that still wait, by id. */
  finish(better: Better): void {
    const pendingFrom = this.roundStart
    this.close()
    if (this.strays.length > 0) this.matchStrays(better)
    this.pendingFrom = this.ended || this.wentOn ? this.calls.length : pendingFrom
  }

  /** Nothing but results of its own round follows: the call may still be answered. */
  isPending(call: number): boolean {
    return call >= this.pendingFrom
  }

  /** Whether a prompt stands between a call and a result that came after it. */
  isAcross(call: number, stray: Stray): boolean {
    return stray.breaks > this.breaksAt[call]!
  }

  private close(): void {
    for (let i = this.roundStart; i < this.calls.length; i++) if (!this.answers[i]) this.closed.push(i)
    this.roundStart = this.cursor = this.calls.length
    this.answered = false
    this.wide = undefined
  }

  private find(part: Part): number {
    const next = this.calls[this.cursor]
    if (next !== undefined && !this.answers[this.cursor] && next.id === part.id && fits(next, part)) return this.cursor
    if (this.calls.length - this.roundStart > WIDE) return this.findWide(part)
    let found = -1
    for (let i = this.roundStart; i < this.calls.length; i++) {
      if (this.answers[i] || !fits(this.calls[i]!, part)) continue
      // A call of this very id goes before one that has none and would do.
      if (this.calls[i]!.id === part.id) return i
      if (found < 0) found = i
    }
    return found
  }

  private findWide(part: Part): number {
    if (part.id === undefined) return this.findByPlace(part)
    this.wide ??= places(this.calls, this.roundStart)
    const waiting = this.wide.get(keyOf(part))
    if (!waiting) return this.findByPlace(part)
    while (waiting.length > 0 && this.answers[waiting.at(-1)!]) waiting.pop()
    return waiting.at(-1) ?? -1
  }

  private findByPlace(part: Part): number {
    let at = this.cursor
    while (at < this.calls.length && this.answers[at]) at++
    const call = this.calls[at]
    return call !== undefined && fits(call, part) ? at : -1
  }

  private inRound(part: Part): boolean {
    if (this.calls.length - this.roundStart > WIDE) {
      this.wide ??= places(this.calls, this.roundStart)
      return this.wide.has(keyOf(part))
    }
    for (let i = this.roundStart; i < this.calls.length; i++) if (fits(this.calls[i]!, part)) return true
    return false
  }

  private matchStrays(better: Better): void {
    const waiting = new Map<string, Queue>()
    for (const call of this.closed) {
      const queue = waiting.get(keyOf(this.calls[call]!))
      if (queue) queue.calls.push(call)
      else waiting.set(keyOf(this.calls[call]!), { calls: [call], next: 0 })
    }
    for (const stray of this.strays) this.takeEarlier(stray, waiting.get(keyOf(stray.part)))
    for (const stray of this.strays) if (stray.call < 0) this.takeLater(stray, waiting.get(keyOf(stray.part)))
    const last = new Map<string, number>()
    let next = 0
    for (const stray of this.strays) {
      while (next < this.calls.length && isBefore(this.calls[next]!, stray.part))
        last.set(keyOf(this.calls[next]!), next++)
      if (stray.call < 0) this.markDuplicate(stray, last.get(keyOf(stray.part)), better)
    }
  }

  /** The earliest call of its id before it that nothing answers. */
  private takeEarlier(stray: Stray, queue: Queue | undefined): void {
    const call = queue?.calls[queue.next]
    if (call === undefined || !isBefore(this.calls[call]!, stray.part)) return
    queue!.next++
    this.give(stray, call, 'misplaced')
  }

  /** Else the nearest one after it; strays come in order, so the place in the queue only moves on. */
  private takeLater(stray: Stray, queue: Queue | undefined): void {
    if (!queue) return
    while (queue.next < queue.calls.length && isBefore(this.calls[queue.calls[queue.next]!]!, stray.part)) queue.next++
    const call = queue.calls[queue.next++]
    if (call !== undefined) this.give(stray, call, 'early')
  }

  private give(stray: Stray, call: number, fate: Stray['fate']): void {
    stray.call = call
    stray.fate = fate
    this.answers[call] = stray.part
  }

  private markDuplicate(stray: Stray, call: number | undefined, better: Better): void {
    if (call === undefined) return
    stray.call = call
    stray.fate = 'duplicate'
    const first = this.answers[call]
    if (!first || !better(first, stray.part)) return
    this.answers[call] = stray.part
    if (stray.inSlot) {
      stray.part = first
    } else {
      stray.fate = 'misplaced'
      stray.loser = first
    }
  }
}

/** Ids decide where both sides have one; else the names, else the place alone. */
function fits(call: Part, result: Part): boolean {
  if (call.id !== undefined && result.id !== undefined) return call.id === result.id
  return call.name === undefined || result.name === undefined || call.name === result.name
}

function keyOf(part: Part): string {
  return part.id ?? `\u0000${part.name ?? ''}`
}

function isBefore(call: Part, result: Part): boolean {
  return call.message < result.message || (call.message === result.message && call.index < result.index)
}

/** Places by key, last first, so that the first one is popped from the end. */
function places(calls: readonly Part[], from: number): Map<string, number[]> {
  const byKey = new Map<string, number[]>()
  for (let i = calls.length - 1; i >= from; i--) {
    const list = byKey.get(keyOf(calls[i]!))
    if (list) list.push(i)
    else byKey.set(keyOf(calls[i]!), [i])
  }
  return byKey
}
