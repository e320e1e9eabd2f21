/**
 * Which result answers which call: by place first, then by id, never by membership in a set.
 * Fed by the one walk, in order; knows roles and ids, nothing of a dialect.
 */
import type { Dialect } from './dialect.ts'
import { type Outline, type Part, ROLE } from './part.ts'
import { type Better, matchStrays, type Stray } from './strays.ts'

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
  private readonly serverCalls = new Set<string>()

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

  private readonly family: Dialect['family']

  constructor({ slot, family }: Pick<Dialect, 'slot' | 'family'>) {
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
    const id = part.id ?? ''
    if (part.kind === 'call') {
      this.serverOpen.set(id, part)
      this.serverCalls.add(id)
    } else if (part.kind === 'result' && !this.serverOpen.delete(id) && !this.serverCalls.has(id))
      this.serverOrphans.push(part)
  }

  /** After the last message: gives what is left to the calls that still wait, by id. */
  finish(better: Better): void {
    const pendingFrom = this.roundStart
    this.close()
    matchStrays(this, this.closed, this.keyOf, better)
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
    if (next !== undefined && !this.answers[this.cursor] && next.id === part.id && this.fits(next, part))
      return this.cursor
    if (this.calls.length - this.roundStart > WIDE) return this.findWide(part)
    let found = -1
    for (let i = this.roundStart; i < this.calls.length; i++) {
      if (this.answers[i] || !this.fits(this.calls[i]!, part)) continue
      // A call of this very id goes before one that has none and would do.
      if (this.calls[i]!.id === part.id) return i
      if (found < 0) found = i
    }
    return found
  }

  private findWide(part: Part): number {
    if (part.id === undefined) return this.findByPlace(part)
    this.wide ??= this.places()
    const waiting = this.wide.get(this.keyOf(part))
    if (!waiting) return this.findByPlace(part)
    while (waiting.length > 0 && this.answers[waiting.at(-1)!]) waiting.pop()
    return waiting.at(-1) ?? -1
  }

  private findByPlace(part: Part): number {
    let at = this.cursor
    while (at < this.calls.length && this.answers[at]) at++
    const call = this.calls[at]
    return call !== undefined && this.fits(call, part) ? at : -1
  }

  private inRound(part: Part): boolean {
    if (this.calls.length - this.roundStart > WIDE) {
      this.wide ??= this.places()
      return this.wide.has(this.keyOf(part))
    }
    for (let i = this.roundStart; i < this.calls.length; i++) if (this.fits(this.calls[i]!, part)) return true
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
    for (let i = this.calls.length - 1; i >= this.roundStart; i--) {
      const list = byKey.get(this.keyOf(this.calls[i]!))
      if (list) list.push(i)
      else byKey.set(this.keyOf(this.calls[i]!), [i])
    }
    return byKey
  }
}
