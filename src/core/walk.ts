/**
 * The one walk over a history that all rules share: each message is read once, its parts are paired and checked, and dropped again.
 * What stays: a byte of outline for each message, the calls with their results, and what was found.
 */
import { betterIn } from './better.ts'
import type { Dialect } from './dialect.ts'
import { type Found, firstPlace, type Policy } from './found.ts'
import type { JsonObject, Path } from './json.ts'
import { goesOn } from './lasting.ts'
import { Look } from './look.ts'
import { Pairing } from './pairing.ts'
import { codeOf, type Outline, type Part, placeOf, ROLE, type Role } from './part.ts'
import { checksOf, type Plan, type WalkOptions } from './plan.ts'
import { type Bound, type Step, speaksOf } from './rule.ts'

export class Walk {
  readonly history: readonly unknown[]
  /** The request around the history, where the caller gave it. */
  readonly body: JsonObject | undefined
  readonly plan: Plan
  readonly dialect: Dialect
  readonly sending: boolean
  readonly strict: boolean
  readonly policy: Policy
  readonly outlines: Uint8Array
  readonly pairing: Pairing
  readonly found: Found[] = []
  /** Which message is being read, and whose it is. */
  at = 0
  speaker: Outline = ROLE.unknown
  /** The message stood in this history before it was mended, and all rules have seen it then. */
  again = false
  /** Room for what a rule has to remember along the walk, by rule id. */
  readonly memory = new Map<string, unknown>()
  /** The same for what is asked of nearly every message, by place. */
  readonly near: unknown[] = []
  private excused: ReadonlySet<string> | undefined
  private readonly parts: Part[] = []
  readonly look: Look | undefined
  private readonly contentKey: string
  private before: Outline = ROLE.unknown
  /** The last who spoke, where, and whether a system message has come since. */
  private previous: Outline | undefined
  private spoke = -1
  private apart = false

  constructor(options: WalkOptions) {
    this.history = options.history
    this.body = options.body
    this.plan = options.plan
    this.dialect = options.plan.dialect.suited?.(options.history) ?? options.plan.dialect
    this.sending = options.sending
    this.strict = options.strict
    this.policy = options.policy
    this.outlines = new Uint8Array(options.history.length)
    this.pairing = new Pairing(this.dialect, options.history)
    const quiets = options.strict ? this.plan.strict : this.plan.loose
    const earlier = options.earlier && goesOn(this, options.earlier) ? options.earlier : undefined
    this.look = quiets && this.dialect.plain ? new Look(this, quiets, earlier?.look) : undefined
    this.contentKey = this.dialect.blocks?.[0] ?? 'content'
  }

  run(): this {
    this.readAll()
    this.pairing.finish(betterIn(this))
    this.checkPairs()
    for (const { check, bound } of this.plan.end) check(this, bound)
    this.checkEdited()
    return this
  }

  /** Whether a finding is mended without being asked for by name. */
  mends(found: Found): boolean {
    return found.steps.length > 0 && (found.bound.severity === 'error' || this.strict)
  }

  report(bound: Bound, id: string, at: Part | Path, data: Found['data'], steps: readonly Step[] = []): void {
    if (!speaksOf(bound, id)) return
    this.found.push({ bound, id, at: 'kind' in at ? placeOf(at) : at, data, steps })
  }

  /** Whether the dialect knows that this call needs no result. */
  isExcused(call: number): boolean {
    if (!this.dialect.excused) return false
    const { id } = this.pairing.callAt(call)
    if (id === undefined) return false
    this.excused ??= this.dialect.excused(this.history)
    return this.excused.has(id)
  }

  /** What a rule keeps from one call of it to the next. */
  recall<T>(bound: Bound, initial: () => T): T {
    let value = this.memory.get(bound.rule.id)
    if (value === undefined) {
      value = initial()
      this.memory.set(bound.rule.id, value)
    }
    return value as T
  }

  // The loop does nothing itself: a body that is called for every message is optimised once and for all.
  private readAll(): void {
    for (let i = 0; i < this.history.length; i++) {
      i += this.look?.isSecond ? this.carry(i) : 0
      this.readMessage(i)
    }
    if (this.plan.junction.length > 0) this.checkJunction(this.previous, undefined, this.history.length)
  }

  /** Past messages that are as they were in the walk before; how many these are. The next one is still to be read. */
  private carry(i: number): number {
    const count = this.look!.carry(i, this.before)
    if (count === 0) return 0
    const last = i + count - 1
    this.meet(this.outlines[i]!, i)
    this.spoke = last
    while ((this.outlines[this.spoke]! & 7) === ROLE.system) this.spoke--
    this.before = this.outlines[last]!
    this.previous = this.outlines[this.spoke]!
    this.apart = this.spoke < last
    return count
  }

  private readMessage(i: number): void {
    this.at = i
    const message = this.history[i]
    const { look } = this
    const outline = look ? look.glance(message, i, this.before) : -1
    if (outline < 0) {
      if (look?.begun) this.pairing.forget()
      this.readParts(message, i)
    } else {
      this.outlines[i] = this.before = outline
      this.meet(outline, i)
    }
  }

  private readParts(message: unknown, i: number): void {
    const { parts } = this
    // Popped, not cut to length 0: that would throw the array's room away for every message.
    while (parts.length > 0) parts.pop()
    const role = this.dialect.read(message, i, parts)
    const code = codeOf(role)
    this.speaker = code
    if (!this.look?.begun) this.pairing.message(code, this.before)
    const outline = this.takeParts(code, parts)
    this.outlines[i] = this.before = outline
    this.checkMessage(message, i, role)
    this.meet(outline, i)
  }

  /** Leading system messages are no neighbours; a later one keeps those around it apart. */
  private meet(outline: Outline, i: number): void {
    if ((outline & 7) === ROLE.system) {
      this.apart = this.previous !== undefined
      return
    }
    if (this.plan.junction.length > 0 && !this.apart) this.checkJunction(this.previous, outline, i)
    this.previous = outline
    this.spoke = i
    this.apart = false
  }

  private checkMessage(message: unknown, index: number, role: Role): void {
    const { message: always, odd } = this.plan
    const plain = odd.length === 0 || (role !== 'unknown' && role !== 'system' && this.isPlain())
    if (plain && always.length === 0) return
    const view = { index, role, message, parts: this.parts }
    if (!plain) for (let k = 0; k < odd.length; k++) odd[k]!.check(view, odd[k]!.bound, this)
    for (let k = 0; k < always.length; k++) always[k]!.check(view, always[k]!.bound, this)
  }

  /** What is odd about a content shows in its first part: a text that is none, or no part of the content at all. */
  private isPlain(): boolean {
    const first = this.parts[0]
    if (first === undefined || first.kind === 'opaque' || first.kind === 'reasoning' || this.dialect.items) return false
    if (typeof first.body === 'string' && (first.kind === 'text' || first.kind === 'result')) return first.body !== ''
    return first.kind !== 'text' && first.index >= 0 && first.list[0] === this.contentKey
  }

  private takeParts(role: Outline, parts: readonly Part[]): Outline {
    const { plan } = this
    let outline = role
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i]!
      outline |= this.pairing.takePart(part, role)
      const checks = checksOf(plan, part.kind)
      for (let k = 0; k < checks.length; k++) checks[k]!.check(part, checks[k]!.bound, this)
    }
    return outline
  }

  private checkJunction(before: Outline | undefined, after: Outline | undefined, at: number): void {
    for (let k = 0; k < this.plan.junction.length; k++) {
      const { check, bound } = this.plan.junction[k]!
      const remedy = check(
        before,
        after,
        bound,
        this.sending,
        after === undefined ? this.history[this.spoke] : undefined,
      )
      if (!remedy) continue
      const place = Math.min(at, this.history.length - 1)
      const touch: Step = { do: 'touch', message: place, behind: after === undefined }
      if (place < 0) continue
      this.report(bound, remedy.message, [place], {}, [touch])
      // What is not mended has to be found again.
      this.look?.settled.fill(0, place, place + 1)
    }
  }

  private checkPairs(): void {
    const { plan, pairing } = this
    for (const call of plan.unanswered.length > 0 ? pairing.waiting : []) {
      if (pairing.isAnswered(call) || (!this.sending && pairing.isPending(call)) || this.isExcused(call)) continue
      for (const { check, bound } of plan.unanswered) check(call, bound, this)
    }
    for (const stray of pairing.strays) for (const { check, bound } of plan.stray) check(stray, bound, this)
  }

  /** What the mends of all others do to parts that stand behind them. */
  private checkEdited(): void {
    if (this.plan.edited.length === 0) return
    const first = firstPlace(
      this.found.filter((found) => !found.bound.rule.aside && this.mends(found)),
      this.pairing,
    )
    if (first) for (const { check, bound } of this.plan.edited) check(first, bound, this)
  }
}
