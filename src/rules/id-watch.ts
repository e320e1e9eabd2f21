/**
 * What the laws in force ask of the ids of calls, and whether any call of a history needs another one.
 */
import type { Bound, Part, Walk } from '../core/index.ts'
import { nearby } from './memory.ts'
import { endsOf, isWord, NO_PRINT, Prints, printOf } from './prints.ts'

/** Legal wherever ids are known to be checked, for a provider that has just refused one and said no law. */
const NARROWEST = /^[a-zA-Z0-9]{9}$/
const SHORTEST = 40

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

const watchOf = nearby('ids', ({ plan }) => new IdWatch(idLawsOf(plan)))

/** Patterns that any word fits: its letters were looked at already, when its print was taken. */
const WORDS: ReadonlySet<string> = new Set(['^[a-zA-Z0-9_-]+$', '^[a-zA-Z0-9_.:-]+$'])

/** What the laws in force ask of an id. */
export class IdLaws {
  readonly patterns: RegExp[] = []
  readonly scopes = new Set<unknown>()
  readonly wantsId: boolean
  /** Every word of letters, digits, `_` and `-` fits all patterns. */
  readonly takesWords: boolean
  readonly max: number

  constructor(bounds: Walk['plan']['bounds']) {
    for (const { law } of bounds.get('tool-call-id-format') ?? [])
      this.patterns.push((law['pattern'] as RegExp | undefined) ?? NARROWEST)
    const lengths = (bounds.get('tool-call-id-too-long') ?? []).map(
      ({ law }) => (law['max'] as number | undefined) ?? SHORTEST,
    )
    this.max = Math.min(Number.POSITIVE_INFINITY, ...lengths)
    for (const { law } of bounds.get('tool-call-id-duplicate') ?? []) this.scopes.add(law['scope'] ?? 'request')
    this.takesWords = this.patterns.every(({ source }) => WORDS.has(source))
    this.wantsId = bounds.has('tool-call-id-empty') || this.patterns.some((pattern) => !pattern.test(''))
  }

  /** `print`: what `printOf` gave for it. */
  isLegalBy(print: number, id: string): boolean {
    return isWord(print) && this.takesWords ? id.length <= this.max : this.isLegal(id)
  }

  isLegal(id: string): boolean {
    if (id.length > this.max || !id.isWellFormed()) return false
    for (let i = 0; i < this.patterns.length; i++) if (!this.patterns[i]!.test(id)) return false
    return true
  }
}

const kept = new WeakMap<Walk['plan'], IdLaws>()

export function idLawsOf(plan: Walk['plan']): IdLaws {
  let laws = kept.get(plan)
  if (!laws) {
    laws = new IdLaws(plan.bounds)
    kept.set(plan, laws)
  }
  return laws
}

/** Ids that were glanced at are looked at together: as many as fit into the nearest memory, in a loop that does nothing else. */
const BATCH = 256

export class IdWatch {
  /** Never used: decision 0021. */
  static readonly kept = new IdWatch(new IdLaws(new Map()))

  /** Some law asks whether an id comes twice. */
  private readonly isCounting: boolean

  private readonly laws: IdLaws
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
    else this.ids.push(part.id)
  }

  takeGlanced(id: string, message: number): void {
    this.glanced = message === this.message ? this.glanced + 1 : 1
    this.message = message
    if (this.ids.push(id) === BATCH) this.readAll()
  }

  private readAll(): void {
    while (this.ids.length > 0) {
      const id = this.ids.pop()!
      if (!this.isNeeded) this.read(id)
    }
  }

  private read(id: string): void {
    const { laws } = this
    const print = laws.patterns.length > 0 ? printOf(id) : this.isCounting ? endsOf(id) : NO_PRINT
    // A print that is there already may be another id's: then the table is made for nothing.
    this.isNeeded = !laws.isLegalBy(print, id) || (this.isCounting && !this.prints.addPrint(print))
  }
}
