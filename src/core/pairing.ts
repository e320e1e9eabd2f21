/**
 * Which result answers which call: by place first, then by id, never by membership in a set.
 * Fed by the one walk, in order; knows roles and ids, nothing of a dialect.
 */
import { AS_PART } from './calls.ts'
import { HAS_CALL, HAS_OTHER, HAS_REASONING, HAS_RESULT, type Outline, type Part, ROLE } from './part.ts'
import { Rounds } from './rounds.ts'
import { ServerPairs } from './server-pairs.ts'
import { type Better, matchStrays, type Stray } from './strays.ts'

/** A round wider than this is searched by a map: ten thousand parallel calls may be answered in any order. */
const WIDE = 16

export class Pairing extends Rounds {
  readonly strays: Stray[] = []
  readonly server = new ServerPairs()

  /** A part of the message that was begun; what its message has by it. */
  takePart(part: Part, role: Outline): Outline {
    if (part.server) {
      this.server.take(part)
      if (role !== ROLE.assistant) this.other(role)
      return HAS_OTHER
    }
    if (part.kind === 'call') {
      this.call(part, role)
      return HAS_CALL
    }
    if (part.kind === 'result') {
      this.result(part, role)
      return HAS_RESULT
    }
    this.other(role)
    return part.kind === 'reasoning' ? HAS_REASONING : HAS_OTHER
  }

  call(part: Part, role: Outline = ROLE.assistant): void {
    if (role !== ROLE.assistant && (this.count === 0 || this.messageOf(this.count - 1) !== part.message)) this.close()
    // A call that another role makes opens a round of its own: no result before it can be its answer.
    if (this.foreign) this.close()
    this.foreign = false
    this.open(part, part.message, AS_PART, undefined, undefined)
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
    if (this.isAnswered(call)) {
      this.outdone ??= new Set()
      this.outdone.add(this.answerMessageOf(call))
    }
    this.answer(call, part, part.message, AS_PART)
  }

  /** Whether a prompt stands between a call and a result that came after it. */
  isAcross(call: number, stray: Stray): boolean {
    return stray.breaks > this.breaksBefore(call)
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
