/**
 * Whether any call of a history needs another id than it has.
 */
import type { Bound, Part, Walk } from '../core/index.ts'
import { IdLaws, lawsOf } from './id-laws.ts'
import { nearby } from './memory.ts'
import { Print, Prints } from './prints.ts'

/**
 * Looks at a call's id while it is read. Nearly every history needs no new id at all: then no table is made, and no rule goes
 * through the calls again.
 */
export function watchId(part: Part, _bound: Bound, walk: Walk): void {
  if (!part.server && !walk.again) watchOf(walk).take(part)
}

/** The same for a call that was only glanced at. Whatever its id is, the end of the walk finds out. */
export function watchPlain(id: string | undefined, _name: string, _body: unknown, walk: Walk): boolean {
  if (id === undefined) return false
  if (!walk.again) watchOf(walk).takeGlanced(id, walk.at)
  return true
}

const watchOf = nearby('ids', ({ plan }) => new IdWatch(lawsOf(plan)))

/** Ids that were glanced at are looked at together: as many as fit into the nearest memory, in a loop that does nothing else. */
const BATCH = 256

export class IdWatch {
  /** Never used: decision 0021. */
  static readonly kept = new IdWatch(new IdLaws(new Map()))

  /** Some law asks whether an id comes twice. */
  private readonly isCounting: boolean

  private readonly laws: IdLaws
  private readonly print = new Print()
  private readonly prints = new Prints()
  private readonly ids: string[] = []
  private isNeeded = false
  private last: Part | undefined
  /** How many calls of which message were only glanced at: if it turns out to be odd, they come again. */
  private glanced = 0
  private message = -1

  constructor(laws: IdLaws) {
    this.laws = laws
    this.isCounting = this.laws.scopes.size > 0
  }

  get needed(): boolean {
    this.readAll()
    return this.isNeeded
  }

  get lasts(): boolean {
    return !this.needed
  }

  take(part: Part): void {
    if (part === this.last) return
    this.last = part
    if (part.message === this.message && this.glanced-- > 0) return
    if (part.id === undefined) this.isNeeded ||= this.laws.wantsId
    else this.keep(part.id)
  }

  takeGlanced(id: string, message: number): void {
    this.glanced = message === this.message ? this.glanced + 1 : 1
    this.message = message
    this.keep(id)
  }

  private keep(id: string): void {
    if (this.ids.push(id) === BATCH) this.readAll()
  }

  private readAll(): void {
    while (this.ids.length > 0) {
      const id = this.ids.pop()!
      if (!this.isNeeded) this.read(id)
    }
  }

  private read(id: string): void {
    const { laws, print } = this
    if (laws.patterns.length > 0) print.read(id)
    else if (this.isCounting) print.readEnds(id)
    // A print that is there already may be another id's: then the table is made for nothing.
    this.isNeeded = !laws.isLegalBy(print, id) || (this.isCounting && !this.prints.add(print))
  }
}
