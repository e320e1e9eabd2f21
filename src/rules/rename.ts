/**
 * New ids for calls whose own the provider refuses: one table for the whole history, whatever rule asks.
 * Goes from left to right and looks only to the left, so that a name given before an append is the same after it.
 */
import type { Part, Step, Walk } from '../core/index.ts'
import { hash } from './hash.ts'
import { type IdLaws, lawsOf } from './id-laws.ts'
import type { IdWatch } from './id-watch.ts'
import { addTo, shared } from './memory.ts'

export interface Rename {
  readonly id: string
  /** The old id stood before: in the same round, or in an earlier one. */
  readonly repeats: 'message' | 'request' | undefined
}

const NO_RENAMES: ReadonlyMap<number, Rename> = new Map()

/** The calls, by place in `walk.pairing`, that need another id. Made once, when the pairs are known. */
export function renames(walk: Walk): ReadonlyMap<number, Rename> {
  const watch = walk.memory.get('ids') as IdWatch | undefined
  if (watch && !watch.needed) return NO_RENAMES
  return namesOf(walk).table
}

function namesOf(walk: Walk): Names {
  return shared(walk, 'names', () => new Names(walk))
}

/** Call and result get the new id together, and so does any other result that was meant for this call. */
export function renamePair(walk: Walk, call: number): readonly Step[] {
  const rename = renames(walk).get(call)
  if (!rename) return []
  const answer = walk.pairing.answerAt(call)
  const parts = [
    walk.pairing.callAt(call),
    ...(answer ? [answer] : []),
    ...(shared(walk, 'doubles', doublesOf).get(call) ?? []),
  ]
  return parts.map((part) => ({ do: 'write', part, change: { id: rename.id } }))
}

/** A call that is a field of its message (the legacy `function_call`) has no id in its shape. */
export function hasIdField(call: Part): boolean {
  return call.index >= 0 || call.list.length === 0
}

/** An id that is legal and that nothing uses: for a call that is made anew. */
export function freshId(walk: Walk, id: string | undefined, place: string): string {
  return namesOf(walk).fresh(id, place)
}

function doublesOf({ pairing }: Walk): ReadonlyMap<number, readonly Part[]> {
  const doubles = new Map<number, Part[]>()
  for (const { part, call, fate } of pairing.strays) {
    if (fate === 'duplicate') addTo(doubles, call, part)
  }
  return doubles
}

class Names {
  readonly table = new Map<number, Rename>()
  private readonly laws: IdLaws
  /** Names to the left, each with the round it was last used in. */
  private readonly seen = new Map<string, number>()
  /** What an illegal id became: where ids may repeat, the same one becomes the same name. */
  private readonly given = new Map<string, string>()
  private readonly counts = new Map<string, number>()

  constructor(walk: Walk) {
    this.laws = lawsOf(walk.plan)
    const { pairing } = walk
    for (let i = 0; i < pairing.count; i++) this.take(i, pairing.callAt(i), pairing.roundOf(i))
  }

  fresh(id: string | undefined, place: string): string {
    const name = id === undefined ? this.unused(place) : this.seen.has(id) ? this.next(id) : this.legalOf(id)
    this.seen.set(name, -1)
    return name
  }

  private take(call: number, part: Part, round: number): void {
    const { id } = part
    if (id === undefined) {
      if (!this.laws.wantsId || !hasIdField(part)) return
      const name = this.unused(`${part.message}/${part.list.join('/')}/${part.index}`)
      this.table.set(call, { id: name, repeats: undefined })
      this.seen.set(name, round)
      return
    }
    if (this.laws.scopes.size === 0 && this.laws.isLegal(id)) return
    const base = this.legalOf(id)
    const repeats = this.repeats(base, round)
    const name = repeats ? this.next(id) : base
    if (name !== id) this.table.set(call, { id: name, repeats })
    this.seen.set(base, round)
    if (name !== base) this.seen.set(name, round)
  }

  private repeats(name: string, round: number): Rename['repeats'] {
    const last = this.laws.scopes.size === 0 ? undefined : this.seen.get(name)
    if (last === undefined) return undefined
    if (last === round) return 'message'
    return this.laws.scopes.has('request') ? 'request' : undefined
  }

  private legalOf(id: string): string {
    if (this.laws.isLegal(id)) return id
    let name = this.given.get(id)
    if (name === undefined) {
      name = this.unused(id)
      this.given.set(id, name)
    }
    return name
  }

  private next(id: string): string {
    let n = this.counts.get(id) ?? 2
    let name: string
    do {
      name = `${id}_${n++}`
      if (!this.laws.isLegal(name)) name = hash(name)
    } while (this.seen.has(name))
    this.counts.set(id, n)
    return name
  }

  /** Never a cut: ids that differ only at their end would become one. */
  private unused(source: string): string {
    let name = hash(source)
    for (let n = 2; this.seen.has(name); n++) name = hash(`${source} ${n}`)
    return name
  }
}
