/**
 * The quick way through a plain message: a known role, only the usual fields, texts that say something, calls with a name, results right
 * where their calls wait for them. A dialect tells such a message apart and shows its pieces one by one; if every rule in force is quiet
 * about each of them, no part is made. At the first doubt the message is read as any other: nothing but pairs has been noted by then.
 */

import { stretchFrom } from './carry.ts'
import type { Pairing } from './pairing.ts'
import { HAS_REASONING, type Outline, ROLE } from './part.ts'
import type { Bound } from './rule.ts'
import type { Walk } from './walk.ts'

/** What a rule is quiet about, piece by piece: true means that none of its checks would speak. What is left out never makes it speak. */
export interface Quiet {
  /** A text, never empty; `whole`: it is the content itself, no block of it. */
  readonly text?: (text: string, whole: boolean, walk: Walk) => boolean
  /** The content beside calls that says nothing: null, empty or absent. */
  readonly bare?: (content: null | '' | undefined) => boolean
  /** A call of the assistant's. Its arguments are a text or an object. */
  readonly call?: (id: string | undefined, name: string, body: unknown, walk: Walk) => boolean
  /** A result: a text, a list of texts, or an object. */
  readonly result?: (id: string | undefined, body: unknown, failed: boolean, walk: Walk) => boolean
  /** Reasoning with a text and a signature, in a place of its message. */
  readonly reasoning?: (text: string, sign: string, walk: Walk, message: number, place: number) => boolean
  /** The id of an item that has one beside all else. */
  readonly item?: (id: string, type: string, walk: Walk) => boolean
  /** The name of a speaker. */
  readonly name?: (name: string) => boolean
  /** The native word for who gives instructions. */
  readonly role?: (role: string) => boolean
  /** A field beside the conversation, of a message or a part of this native role or type. */
  readonly field?: (key: string, of: string) => boolean
}

/** The rules of a plan that may speak of each piece, one after the other. */
export type Quiets = { readonly [K in keyof Required<Quiet>]: readonly NonNullable<Quiet[K]>[] }

const pieces = ['text', 'bare', 'call', 'result', 'reasoning', 'item', 'name', 'role', 'field'] as const

/** Undefined: some rule wants to see every message. */
export function quietsOf(bounds: Iterable<Bound>, strict: boolean): Quiets | undefined {
  const quiets: Record<string, unknown[]> = {}
  for (const piece of pieces) quiets[piece] = []
  for (const bound of bounds) {
    const { checks } = bound.rule
    if (!(checks.text || checks.call || checks.result || checks.reasoning || checks.message)) continue
    const quiet = bound.rule.quiet?.(bound, strict)
    if (!quiet) return undefined
    for (const piece of pieces) {
      const check = quiet[piece]
      if (check && !quiets[piece]!.includes(check)) quiets[piece]!.push(check)
    }
  }
  const known = quiets as unknown as Quiets
  return known.field.length === 0 ? known : { ...known, field: [remembering(known.field)] }
}

/** The same few fields come again and again: what was answered last for one of its length is remembered. */
function remembering(checks: Quiets['field']): Quiets['field'][number] {
  const known = Array.from({ length: 16 }, () => ({ key: '', of: '', quiet: false }))
  return (key, of) => {
    const last = known[(key.length + of.length) & 15]!
    if (last.key === key && last.of === of) return last.quiet
    last.quiet = checks.every((check) => check(key, of))
    last.key = key
    last.of = of
    return last.quiet
  }
}

/** How far a message is looked for beyond the place where it stands if nothing was taken out. */
const NEAR = 8

export class Look {
  /** The dialect has said who speaks: the pairing knows of this message. */
  begun = false
  readonly walk: Walk
  private readonly pairing: Pairing
  private readonly quiets: Quiets
  private message = 0
  private before: Outline = 0
  private role: Outline = 0
  private place = 0

  /** Plain messages: when they come again after a mend, all is said of them. */
  readonly settled: Uint8Array
  private readonly earlier: Look | undefined
  /** There was a walk before this one. */
  get isSecond(): boolean {
    return this.earlier !== undefined
  }

  private next = 0

  /** `earlier`: the look of the walk over the same history before it was mended. */
  constructor(walk: Walk, quiets: Quiets, earlier: Look | undefined) {
    this.walk = walk
    this.pairing = walk.pairing
    this.quiets = quiets
    this.earlier = earlier
    this.settled = new Uint8Array(walk.history.length)
  }

  /** The outline of a plain message, -1 of any other. The last one counts as such: it may have rules of its own. */
  glance(message: unknown, index: number, before: Outline): Outline {
    this.message = index
    this.before = before
    this.begun = this.walk.again = false
    if (index === this.walk.history.length - 1) {
      this.walk.again = this.earlier !== undefined && this.placeBefore(message, this.earlier) >= 0
      return -1
    }
    const again = this.earlier ? this.passOver(message, this.earlier) : -1
    const outline = again < 0 && !this.begun ? this.walk.dialect.plain!(message, this) : again
    // What rules remember of reasoning are places, which a mend moves.
    if (outline >= 0 && ((outline & HAS_REASONING) === 0 || this.quiets.reasoning.length === 0)) this.settled[index] = 1
    return outline
  }

  /** Takes over what it can of the walk before the mends, from this message on; how many messages these were. */
  carry(index: number, before: Outline): number {
    const { earlier, walk } = this
    if (!earlier || (before & 7) === ROLE.assistant || earlier.pairing.hasOutdone) return 0
    const at = this.placeBefore(walk.history[index], earlier)
    const first = at < 0 ? 0 : this.pairing.firstFrom(earlier.walk.pairing, at)
    const stretch = at < 0 ? undefined : stretchFrom(at, index, earlier, walk.history, first)
    if (!stretch) return 0
    const [from, to] = stretch.messages
    this.pairing.carry(earlier.walk.pairing, stretch.calls[0], stretch.calls[1], index - from, stretch.breaks)
    walk.outlines.set(earlier.walk.outlines.subarray(from, to), index)
    this.settled.fill(1, index, index + to - from)
    this.next = to
    return to - from
  }

  /** Where a message stood before the mends; -1: nowhere near. */
  private placeBefore(message: unknown, { walk: { history } }: Look): number {
    const end = Math.min(this.next + NEAR, history.length)
    for (let at = this.next; at < end; at++) if (history[at] === message) return at
    return -1
  }

  /** The outline that a settled message had before the mends; -1: it is not one of these. */
  private passOver(message: unknown, earlier: Look): Outline {
    const { walk, settled } = earlier
    const at = this.placeBefore(message, earlier)
    if (at < 0) return -1
    this.next = at + 1
    this.walk.again = true
    if (settled[at] === 0) return -1
    const outline = walk.outlines[at]!
    this.begin(outline & 7)
    return this.pairing.again(walk.pairing, at, this.message, outline) ? outline : -1
  }

  /** Who speaks, as `read` would say it. What follows are the parts, in the order of `read`. */
  begin(role: Outline): void {
    this.begun = true
    this.role = role
    this.place = 0
    this.pairing.message(role, this.before)
    this.pairing.mark()
  }

  text(text: unknown, whole: boolean): boolean {
    if (typeof text !== 'string' || text === '') return false
    const checks = this.quiets.text
    for (let k = 0; k < checks.length; k++) if (!checks[k]!(text, whole, this.walk)) return false
    this.pairing.other(this.role)
    this.place++
    return true
  }

  call(id: unknown, name: unknown, body: unknown): boolean {
    if (!isId(id) || typeof name !== 'string' || name === '') return false
    const checks = this.quiets.call
    for (let k = 0; k < checks.length; k++) if (!checks[k]!(id, name, body, this.walk)) return false
    this.pairing.plainCall(this.message, this.place++, id, name)
    return true
  }

  result(id: unknown, name: string, body: unknown, failed: boolean): boolean {
    if (!isId(id)) return false
    const checks = this.quiets.result
    for (let k = 0; k < checks.length; k++) if (!checks[k]!(id, body, failed, this.walk)) return false
    return this.pairing.plainResult(this.message, this.place++, id, name, this.role)
  }

  reasoning(text: unknown, sign: unknown): boolean {
    if (typeof text !== 'string' || typeof sign !== 'string' || sign === '') return false
    const checks = this.quiets.reasoning
    for (let k = 0; k < checks.length; k++)
      if (!checks[k]!(text, sign, this.walk, this.message, this.place)) return false
    this.pairing.other(this.role)
    this.place++
    return true
  }

  /** Reasoning of which no rule wants to know more. */
  thought(): boolean {
    this.pairing.other(this.role)
    this.place++
    return this.quiets.reasoning.length === 0
  }

  bare(content: unknown): boolean {
    if (content !== null && content !== '' && content !== undefined) return false
    const checks = this.quiets.bare
    for (let k = 0; k < checks.length; k++) if (!checks[k]!(content)) return false
    return true
  }

  item(id: unknown, type: string): boolean {
    if (typeof id !== 'string' || id === '') return false
    const checks = this.quiets.item
    for (let k = 0; k < checks.length; k++) if (!checks[k]!(id, type, this.walk)) return false
    return true
  }

  name(name: unknown): boolean {
    return typeof name === 'string' && name !== '' && passes(this.quiets.name, name)
  }

  system(role: string): boolean {
    return passes(this.quiets.role, role)
  }

  field(key: string, of: string): boolean {
    const checks = this.quiets.field
    for (let k = 0; k < checks.length; k++) if (!checks[k]!(key, of)) return false
    return true
  }
}

function isId(id: unknown): id is string | undefined {
  return typeof id === 'string' ? id !== '' : id === undefined
}

function passes(checks: readonly ((word: string) => boolean)[], word: string): boolean {
  for (let k = 0; k < checks.length; k++) if (!checks[k]!(word)) return false
  return true
}
