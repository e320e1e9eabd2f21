/**
 * Which result answers which call: by place first, then by id, never by membership in a set.
 * Reads a transcript once, in order; knows roles and ids, nothing of a wire format.
 */
import { isSynthetic } from './cause.ts'
import type { Dialect } from './dialect.ts'
import { type MessageFlags, type Part, ROLE } from './part.ts'
import type { Policy } from './policy.ts'
import { matchUnmatched, type UnmatchedResult } from './unmatched-results.ts'

/** A round wider than this is searched by a map: ten thousand parallel calls may be answered in any order. */
const WIDE = 16

/** What the pairing needs of a transcript. */
export interface PairingInput {
  readonly dialect: Pick<Dialect, 'resultPlacement' | 'callType' | 'content'>
  readonly policy: Policy
  readonly flags: readonly MessageFlags[]
  readonly starts: readonly number[]
  readonly parts: readonly Part[]
  readonly calls: readonly Part[]
}

/** Which of two results for one call stays. Real beats synthetic, whole beats failed; else the first, or the policy. */
function prefersSecond({ dialect, policy: { duplicate } }: PairingInput, first: Part, second: Part): boolean {
  if (duplicate !== 'best') return duplicate === 'last'
  const firstText = dialect.content(first).text
  const isFirstMade = isSynthetic(firstText)
  if (isFirstMade !== isSynthetic(dialect.content(second).text)) return isFirstMade
  return first.failed && !second.failed && firstText === ''
}

/** Which result answers which call. */
export class Pairing {
  /** Client-side calls, in order. */
  readonly calls: readonly Part[]
  /** The result of each call, if it has one. */
  readonly results: (Part | undefined)[]
  /** For each call the index of the first call of its round. */
  readonly rounds: number[]
  /** Results that were not where a call waiting for them expects them. */
  readonly unmatched: UnmatchedResult[] = []
  /** Calls without a result when their round ended; some may have got an unmatched result since. */
  readonly waiting: number[] = []
  /** Calls from this index on may still be answered. */
  pendingFrom = 0
  /** For each call the number of prompts before it. */
  private readonly prompts: number[]
  private readonly placement: Dialect['resultPlacement']
  private readonly callType: Dialect['callType']
  private count = 0
  private roundStart = 0
  private cursor = 0
  private promptCount = 0
  /** Something other than a result followed the calls of the open round: later results are out of place. */
  private ended = true
  /** The assistant went on after its calls without making another. */
  private wentOn = false
  private foreign = false
  private wide: Map<string, number[]> | undefined

  constructor(input: PairingInput) {
    this.calls = input.calls
    const { length } = input.calls
    this.results = new Array<Part | undefined>(length)
    this.rounds = new Array<number>(length)
    this.prompts = new Array<number>(length)
    this.placement = input.dialect.resultPlacement
    this.callType = input.dialect.callType
    this.readAll(input)
    const pendingFrom = this.roundStart
    this.closeRound()
    if (this.unmatched.length > 0)
      matchUnmatched(
        this,
        (part) => this.keyOf(part),
        (first, second) => prefersSecond(input, first, second),
      )
    this.pendingFrom = this.ended || this.wentOn ? this.count : pendingFrom
  }

  /** Only results of its own round follow: the call may still be answered. */
  isPending(call: number): boolean {
    return call >= this.pendingFrom
  }

  /** Whether a prompt is between a call and a result that came after it. */
  isAcrossPrompt(call: number, result: UnmatchedResult): boolean {
    return result.prompts > this.prompts[call]!
  }

  private readAll({ flags, starts, parts }: PairingInput): void {
    let before: MessageFlags = ROLE.unknown
    for (let i = 0; i < flags.length; i++) {
      const role = flags[i]! & 7
      this.beginMessage(role, before)
      for (let k = starts[i]!; k < starts[i + 1]!; k++) this.takePart(parts[k]!, role)
      before = role
    }
  }

  private beginMessage(role: MessageFlags, before: MessageFlags): void {
    this.foreign = role !== ROLE.assistant
    if (role === ROLE.assistant) {
      const joins = this.placement !== 'next-message' && before === ROLE.assistant
      if (!joins) this.closeRound()
      this.wentOn = joins
    } else if (role !== ROLE.tool) {
      this.promptCount++
      if (this.placement === 'next-message') this.ended = true
    }
  }

  private takePart(part: Part, role: MessageFlags): void {
    if (part.server) {
      if (role !== ROLE.assistant && role !== ROLE.tool) this.ended = true
    } else if (part.kind === 'call') this.takeCall(part, role)
    else if (part.kind === 'result') this.takeResult(part, role)
    else if (role !== ROLE.assistant && role !== ROLE.tool) this.ended = true
  }

  private takeCall(part: Part, role: MessageFlags): void {
    if (role !== ROLE.assistant && (this.count === 0 || this.calls[this.count - 1]!.message !== part.message))
      this.closeRound()
    // A call by another role opens a round of its own: no result before it can be its answer.
    if (this.foreign) this.closeRound()
    this.foreign = false
    this.rounds[this.count] = this.roundStart
    this.results[this.count] = undefined
    this.prompts[this.count] = this.promptCount
    this.count++
    this.ended = this.wentOn = false
    this.wide = undefined
  }

  private takeResult(part: Part, role: MessageFlags): void {
    // A result in an assistant message is never where a result belongs.
    const open = role !== ROLE.assistant && (this.placement === 'anywhere' || !this.ended)
    const call = open ? this.find(part) : -1
    if (call >= 0) {
      this.results[call] = part
      this.cursor = call + 1
      return
    }
    const round = this.count > this.roundStart ? this.roundStart : -1
    const inSlot = open && this.isInRound(part)
    this.unmatched.push({ part, inSlot, round, prompts: this.promptCount, call: -1, outcome: 'orphan' })
  }

  private find(part: Part): number {
    const { cursor } = this
    if (cursor < this.count && !this.results[cursor]) {
      const next = this.calls[cursor]!
      if (next.id === part.id && this.fits(next, part)) return cursor
    }
    if (this.count - this.roundStart > WIDE) return this.findWide(part)
    let found = -1
    for (let i = this.roundStart; i < this.count; i++) {
      if (this.results[i] || !this.fits(this.calls[i]!, part)) continue
      // A call of this very id goes before one that has none and would do.
      if (this.calls[i]!.id === part.id) return i
      if (found < 0) found = i
    }
    return found
  }

  private findWide(part: Part): number {
    const waiting = part.id === undefined ? undefined : this.callsByKey().get(this.keyOf(part))
    if (!waiting) return this.findByPlace(part)
    while (waiting.length > 0 && this.results[waiting.at(-1)!]) waiting.pop()
    return waiting.at(-1) ?? -1
  }

  private findByPlace(part: Part): number {
    let at = this.cursor
    while (at < this.count && this.results[at]) at++
    return at < this.count && this.fits(this.calls[at]!, part) ? at : -1
  }

  private isInRound(part: Part): boolean {
    if (this.count - this.roundStart > WIDE) return this.callsByKey().has(this.keyOf(part))
    for (let i = this.roundStart; i < this.count; i++) if (this.fits(this.calls[i]!, part)) return true
    return false
  }

  /** Ids decide if both sides have one; else the names; else the place alone. */
  private fits(call: Part, result: Part): boolean {
    if (this.callType && this.callType(call) !== this.callType(result)) return false
    if (call.id !== undefined && result.id !== undefined) return call.id === result.id
    // If results may be anywhere, a result that names a call means that one.
    if (this.placement === 'anywhere' && result.id !== undefined) return false
    return call.name === undefined || result.name === undefined || call.name === result.name
  }

  private keyOf(part: Part): string {
    const key = part.id ?? `\u0000${part.name ?? ''}`
    return this.callType ? `${this.callType(part)}\u0000${key}` : key
  }

  /** The round's calls by key, last first, so that the first one is popped from the end. */
  private callsByKey(): Map<string, number[]> {
    if (this.wide) return this.wide
    this.wide = new Map()
    for (let i = this.count - 1; i >= this.roundStart; i--) {
      const key = this.keyOf(this.calls[i]!)
      const list = this.wide.get(key)
      if (list) list.push(i)
      else this.wide.set(key, [i])
    }
    return this.wide
  }

  private closeRound(): void {
    for (let i = this.roundStart; i < this.count; i++) if (!this.results[i]) this.waiting.push(i)
    this.roundStart = this.cursor = this.count
    this.wide = undefined
  }
}
