/**
 * Which result answers which call: by place first, then by id, never by membership in a set.
 * Fed by the one walk, in order; knows roles and ids, nothing of a dialect.
 */
import { AS_PART, Calls } from './calls.ts'
import type { Dialect } from './dialect.ts'
import { HAS_CALL, HAS_OTHER, HAS_REASONING, HAS_RESULT, type Outline, type Part, ROLE } from './part.ts'
import { ServerPairs } from './server-pairs.ts'
import { type Better, matchStrays, type Stray } from './strays.ts'

/** A round wider than this is searched by a map: ten thousand parallel calls may be answered in any order. */
const WIDE = 16
const NEW = Number.MIN_SAFE_INTEGER

export class Pairing extends Calls {
  readonly strays: Stray[] = []
  readonly server = new ServerPairs()
  /** Calls that nothing answered before their round was over; some may have got a stray since. */
  readonly waiting: number[] = []

  /** Messages of which a plain result had to give way to a better one. */
  private readonly outdone = new Set<number>()
  /** How far the open round's calls have moved since the walk before the mends; NEW: not all of them have come again. */
  private moved = NEW
  private next = 0
  private readonly slot: Dialect['slot']
  private readonly family: Dialect['family']
  /** Id and name of each call of the open round that was only glanced at; no name: it is there as a part. */
  private readonly ids: (string | undefined)[] = []
  private readonly names: (string | undefined)[] = []
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
  private readonly marked = { count: 0, cursor: 0, answered: false, ended: false, wentOn: false }

  constructor({ slot, family, read }: Pick<Dialect, 'slot' | 'family' | 'read'>, history: readonly unknown[]) {
    super(read, history)
    this.slot = slot
    this.family = family
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
    if (role !== ROLE.assistant && (this.count === 0 || this.messageOf(this.count - 1) !== part.message)) this.close()
    // A call that another role makes opens a round of its own: no result before it can be its answer.
    if (this.foreign) this.close()
    this.foreign = false
    this.open(part, part.message, AS_PART, undefined, undefined)
  }

  /** A call of the assistant's of which only this is known, and its place among the parts of its message. */
  plainCall(message: number, place: number, id: string | undefined, name: string): void {
    this.open(undefined, message, place, id, name)
  }

  result(part: Part, role: Outline = ROLE.tool): void {
    const found = this.isOpen(role) ? this.find(part) : -1
    if (found < 0) {
      const round = this.count > this.roundStart ? this.roundStart : -1
      const inSlot = this.isOpen(role) && this.inRound(part)
      this.strays.push({ part, inSlot, round, breaks: this.breaks, call: -1, fate: 'orphan' })
      return
    }
    this.take(found, part, part.message, AS_PART)
  }

  /** Takes a result that answers the next plain call of the round; of any other it says false, and leaves it to `result`. */
  plainResult(message: number, place: number, id: string | undefined, name: string, role: Outline): boolean {
    const { cursor } = this
    const at = cursor - this.roundStart
    if (cursor >= this.count || this.names[at] === undefined || this.ids[at] !== id) return false
    if ((id === undefined && this.names[at] !== name) || !this.isOpen(role) || this.isAnswered(cursor)) return false
    this.take(cursor, undefined, message, place)
    return true
  }

  /**
   * The calls and results of a plain message that comes again after a mend, as they were in the walk before it.
   * False: its results do not fit here any more. `was`: where it stood.
   */
  again(earlier: Pairing, was: number, message: number, outline: Outline): boolean {
    if ((outline & HAS_CALL) !== 0) this.callsAgain(earlier, was, message)
    if ((outline & HAS_RESULT) !== 0 && !this.resultsAgain(earlier, was, message, outline & 7)) return false
    if ((outline & (HAS_OTHER | HAS_REASONING)) !== 0) this.other(outline & 7)
    return true
  }

  /** Where things stand at the head of a message; `forget` goes back there. */
  mark(): void {
    this.marked.count = this.count
    this.marked.cursor = this.cursor
    this.marked.answered = this.answered
    this.marked.ended = this.ended
    this.marked.wentOn = this.wentOn
  }

  /** The parts since the mark were only glanced at, and will come again. */
  forget(): void {
    const { count, cursor } = this.marked
    for (let call = cursor; call < this.cursor; call++) this.answer(call, undefined, -1, AS_PART)
    this.cut(count)
    this.ids.length = this.names.length = count - this.roundStart
    this.cursor = cursor
    this.answered = this.marked.answered
    this.ended = this.marked.ended
    this.wentOn = this.marked.wentOn
  }

  /** After the last message: gives what is left to the calls that still wait, by id. */
  finish(better: Better): void {
    const pendingFrom = this.roundStart
    this.close()
    matchStrays(this, this.waiting, this.keyOf, better)
    this.pendingFrom = this.ended || this.wentOn ? this.count : pendingFrom
  }

  /** Nothing but results of its own round follows: the call may still be answered. */
  isPending(call: number): boolean {
    return call >= this.pendingFrom
  }

  /** A stray becomes the answer of a call. */
  give(call: number, part: Part): void {
    if (this.isAnswered(call)) this.outdone.add(this.answerMessageOf(call))
    this.answer(call, part, part.message, AS_PART)
  }

  /** Whether a prompt stands between a call and a result that came after it. */
  isAcross(call: number, stray: Stray): boolean {
    return stray.breaks > this.breaksBefore(call)
  }

  private open(
    part: Part | undefined,
    message: number,
    place: number,
    id: string | undefined,
    name: string | undefined,
  ): void {
    this.ids.push(id)
    this.names.push(name)
    this.add(part, message, place, this.roundStart, this.breaks)
    this.ended = this.wentOn = false
    this.wide = undefined
    this.moved = NEW
  }

  private callsAgain(earlier: Pairing, was: number, message: number): void {
    while (this.next < earlier.count && earlier.messageOf(this.next) < was) this.next++
    for (; this.next < earlier.count && earlier.messageOf(this.next) === was; this.next++) {
      const moved = this.count - this.next
      const goesOn = this.count === this.roundStart || this.moved === moved
      this.open(undefined, message, earlier.placeOf(this.next), undefined, undefined)
      if (goesOn) this.moved = moved
    }
  }

  private resultsAgain(earlier: Pairing, was: number, message: number, role: Outline): boolean {
    const { moved } = this
    const isHere = (call: number) => call >= 0 && call < earlier.count && earlier.answerMessageOf(call) === was
    if (moved === NEW || earlier.outdone.has(was) || !this.isOpen(role) || isHere(this.cursor - moved - 1)) return false
    const first = this.cursor
    while (this.cursor < this.count && !this.isAnswered(this.cursor) && isHere(this.cursor - moved))
      this.take(this.cursor, undefined, message, earlier.answerPlaceOf(this.cursor - moved))
    return this.cursor > first && !isHere(this.cursor - moved)
  }

  private take(call: number, part: Part | undefined, message: number, place: number): void {
    this.answer(call, part, message, place)
    this.answered = true
    this.cursor = call + 1
  }

  /** An assistant does not answer its own calls: what stands in its message is nowhere near a slot. */
  private isOpen(role: Outline): boolean {
    return role !== ROLE.assistant && (this.slot === 'anywhere' || !this.ended)
  }

  private close(): void {
    for (let i = this.roundStart; i < this.count; i++) if (!this.isAnswered(i)) this.waiting.push(i)
    // Popped, not cut to length 0: that would throw the array's room away for every round.
    while (this.names.length > 0) {
      this.names.pop()
      this.ids.pop()
    }
    this.roundStart = this.cursor = this.count
    this.answered = false
    this.wide = undefined
  }

  private find(part: Part): number {
    const { cursor } = this
    if (cursor < this.count && !this.isAnswered(cursor)) {
      const next = this.callAt(cursor)
      if (next.id === part.id && this.fits(next, part)) return cursor
    }
    if (this.count - this.roundStart > WIDE) return this.findWide(part)
    let found = -1
    for (let i = this.roundStart; i < this.count; i++) {
      if (this.isAnswered(i) || !this.fits(this.callAt(i), part)) continue
      // A call of this very id goes before one that has none and would do.
      if (this.callAt(i).id === part.id) return i
      if (found < 0) found = i
    }
    return found
  }

  private findWide(part: Part): number {
    if (part.id === undefined) return this.findByPlace(part)
    this.wide ??= this.places()
    const waiting = this.wide.get(this.keyOf(part))
    if (!waiting) return this.findByPlace(part)
    while (waiting.length > 0 && this.isAnswered(waiting.at(-1)!)) waiting.pop()
    return waiting.at(-1) ?? -1
  }

  private findByPlace(part: Part): number {
    let at = this.cursor
    while (at < this.count && this.isAnswered(at)) at++
    return at < this.count && this.fits(this.callAt(at), part) ? at : -1
  }

  private inRound(part: Part): boolean {
    if (this.count - this.roundStart > WIDE) {
      this.wide ??= this.places()
      return this.wide.has(this.keyOf(part))
    }
    for (let i = this.roundStart; i < this.count; i++) if (this.fits(this.callAt(i), part)) return true
    return false
  }

  /** Ids decide where both sides have one; else the names, else the place alone. */
  private fits(call: Part, result: Part): boolean {
    if (this.family && this.family(call) !== this.family(result)) return false
    if (call.id !== undefined && result.id !== undefined) return call.id === result.id
    // Where place says little, a result that names a call means that one.
    if (this.slot === 'anywhere' && result.id !== undefined) return false
    return call.name === undefined || result.name === undefined || call.name === result.name
  }

  private readonly keyOf = (part: Part): string => {
    const key = part.id ?? `\u0000${part.name ?? ''}`
    return this.family ? `${this.family(part)}\u0000${key}` : key
  }

  /** The round's calls by key, last first, so that the first one is popped from the end. */
  private places(): Map<string, number[]> {
    const byKey = new Map<string, number[]>()
    for (let i = this.count - 1; i >= this.roundStart; i--) {
      const key = this.keyOf(this.callAt(i))
      const list = byKey.get(key)
      if (list) list.push(i)
      else byKey.set(key, [i])
    }
    return byKey
  }
}
