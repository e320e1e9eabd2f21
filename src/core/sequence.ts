/**
 * The mended history as it grows, in stretches of untouched messages and single changed ones.
 * Neighbours that were brought together are put in order at once, as the junction rules say.
 */
import type { Dialect } from './dialect.ts'
import { HAS_RESULT, type Outline, outlineOf, type Part, ROLE, roleOf } from './part.ts'
import type { Bound, Remedy } from './rule.ts'
import type { Walk } from './walk.ts'

/** Said in place of a user's message that had nothing in it, where leaving it out would break the order of turns. */
export const EMPTY = '(empty message)'

/** A message that changed, moved or is new (`from` -1), or a stretch [from, to) that did not. */
export type Piece = Changed | { readonly kind: 'stretch'; readonly from: number; to: number }

interface Changed {
  readonly kind: 'message'
  readonly message: unknown
  readonly from: number
  readonly outline: Outline
  /** Neighbours of one role that become one message, all at once: ten thousand merged one by one would copy each ten thousand times. */
  readonly joined?: unknown[]
}

export class Sequence {
  /** Never used: decision 0021. */
  static readonly kept = new Sequence({} as Walk, new Set())

  private readonly pieces: Piece[] = []
  private readonly walk: Walk
  /** Whose findings are being mended: of the others only errors speak. */
  private readonly asked: ReadonlySet<Bound>
  private readonly scratch: Part[] = []
  private last: Outline | undefined
  /** The last who spoke was touched, so what follows it is a new neighbour. */
  private fresh = false
  /** A system message stands behind the last who spoke. */
  private apart = false

  constructor(walk: Walk, asked: ReadonlySet<Bound>) {
    this.walk = walk
    this.asked = asked
  }

  stretch(from: number, to: number): void {
    if (from >= to) return
    const { outlines } = this.walk
    let first = from
    while (first < to && isSystem(outlines[first]!)) first++
    if (first > from && this.last !== undefined) this.apart = true
    if (this.fresh && first < to && this.remedy(this.last, outlines[first]!)) {
      this.plain(from, first)
      this.message(this.walk.history[first], first)
      this.fresh = this.joined(first)
      this.stretch(first + 1, to)
      return
    }
    this.plain(from, to)
  }

  message(message: unknown, from: number): void {
    const outline = this.outlineOf(message)
    if (isSystem(outline)) {
      this.pieces.push({ kind: 'message', message, from, outline })
      this.apart = this.last !== undefined
      this.fresh = true
      return
    }
    let current: Changed = { kind: 'message', message, from, outline }
    for (let tries = 0; tries < 4; tries++) {
      const remedy = this.remedy(this.last, current.outline)
      if (!remedy) break
      if (remedy.do === 'insert') this.insert(remedy)
      else if (!this.canMerge()) break
      else current = this.mergeInto(current)
    }
    this.push(current)
  }

  /** A message that is gone; one that was only emptied stays if its place in the order of turns is needed. */
  removed(index: number, emptied: boolean, behind: readonly unknown[]): void {
    const after = this.nextSpoken(index + 1)
    const ends = index === this.walk.history.length - 1
    const closes = ends && (this.last === undefined || roleOf(this.last) === 'assistant')
    const was = this.walk.outlines[index]!
    const alone = emptied && behind.every((value) => isSystem(this.outlineOf(value)))
    const prompt = alone && roleOf(was) === 'user' && (was & HAS_RESULT) === 0
    const needed = prompt && (closes || this.remedy(this.last, after) !== undefined)
    if (needed) this.message(this.walk.dialect.say('user', EMPTY), index)
    else this.fresh = true
  }

  /** The pieces, neighbours joined. */
  finished(): readonly Piece[] {
    const { pieces } = this
    for (let i = 0; i < pieces.length; i++) {
      const piece = pieces[i]!
      if (piece.kind === 'message' && piece.joined)
        pieces[i] = { ...piece, message: mergeAll(piece.joined, this.walk.dialect) }
    }
    return pieces
  }

  end(): void {
    if (this.last === undefined && this.pieces.length === 0) this.message(this.walk.dialect.say('user', EMPTY), -1)
    for (let tries = 0; tries < 3 && this.fresh; tries++) {
      const remedy = this.remedy(this.last, undefined)
      if (remedy?.do !== 'insert') return
      this.insert(remedy)
    }
  }

  private plain(from: number, to: number): void {
    if (from >= to) return
    this.pieces.push({ kind: 'stretch', from, to })
    const { outlines } = this.walk
    for (let i = to - 1; i >= from; i--) {
      if (isSystem(outlines[i]!)) continue
      this.last = outlines[i]!
      this.apart = i < to - 1
      this.fresh = false
      return
    }
    this.apart = this.last !== undefined
  }

  private push(piece: Changed): void {
    this.pieces.push(piece)
    this.last = piece.outline
    this.apart = false
    this.fresh = true
  }

  private insert(remedy: Extract<Remedy, { do: 'insert' }>): void {
    const message = this.walk.dialect.say(remedy.role, remedy.text)
    this.push({ kind: 'message', message, from: -1, outline: this.outlineOf(message) })
  }

  private canMerge(): boolean {
    const piece = this.pieces.at(-1)
    if (!piece) return false
    return !isSystem(piece.kind === 'message' ? piece.outline : this.walk.outlines[piece.to - 1]!)
  }

  private mergeInto(second: Changed): Changed {
    const piece = this.pieces.at(-1)!
    let first: Changed
    if (piece.kind === 'message') {
      this.pieces.pop()
      first = piece
    } else {
      const from = --piece.to
      if (piece.from === piece.to) this.pieces.pop()
      first = { kind: 'message', message: this.walk.history[from], from, outline: this.walk.outlines[from]! }
    }
    this.last = this.lastSpoken()?.outline
    const joined = first.joined ?? [first.message]
    for (const message of second.joined ?? [second.message]) joined.push(message)
    const outline = first.outline | second.outline
    return { kind: 'message', message: undefined, joined, from: first.from < 0 ? second.from : first.from, outline }
  }

  /** The last message but for those of the system. */
  private lastSpoken(): { readonly outline: Outline; readonly message: unknown } | undefined {
    const { outlines, history } = this.walk
    for (let i = this.pieces.length - 1; i >= 0; i--) {
      const piece = this.pieces[i]!
      if (piece.kind === 'message') {
        if (!isSystem(piece.outline)) return { outline: piece.outline, message: piece.joined?.at(-1) ?? piece.message }
        continue
      }
      for (let k = piece.to - 1; k >= piece.from; k--)
        if (!isSystem(outlines[k]!)) return { outline: outlines[k]!, message: history[k] }
    }
    return undefined
  }

  private nextSpoken(from: number): Outline | undefined {
    let i = from
    while (i < this.walk.outlines.length && isSystem(this.walk.outlines[i]!)) i++
    return this.walk.outlines[i]
  }

  private joined(index: number): boolean {
    const piece = this.pieces.at(-1)
    return (
      piece?.kind === 'message' &&
      (piece.joined !== undefined || piece.from !== index || piece.message !== this.walk.history[index])
    )
  }

  private remedy(before: Outline | undefined, after: Outline | undefined): Remedy | undefined {
    if (this.apart && before !== undefined && after !== undefined) return undefined
    const last = after === undefined ? this.lastSpoken()?.message : undefined
    for (const { check, bound } of this.walk.plan.junction) {
      if (bound.severity === 'warning' && !this.walk.strict && !this.asked.has(bound)) continue
      const remedy = check(before, after, bound, this.walk.sending, last)
      if (remedy) return remedy
    }
    return undefined
  }

  private outlineOf(message: unknown): Outline {
    this.scratch.length = 0
    const role = this.walk.dialect.read(message, 0, this.scratch)
    return outlineOf(role, this.scratch)
  }
}

/** By halves: what is joined is copied as often as the list can be halved. */
function mergeAll(messages: readonly unknown[], dialect: Dialect): unknown {
  let list = messages
  while (list.length > 1) {
    const halved: unknown[] = []
    for (let i = 0; i < list.length; i += 2)
      halved.push(i + 1 < list.length ? dialect.merge(list[i], list[i + 1]) : list[i])
    list = halved
  }
  return list[0]
}

function isSystem(outline: Outline): boolean {
  return (outline & 7) === ROLE.system
}
