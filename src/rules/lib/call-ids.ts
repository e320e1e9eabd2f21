/**
 * New ids for calls whose own id the provider rejects. Derived from the old id or the place and from earlier messages
 * only, so that an id given before an append is the same after it.
 */
import type { Fix, Part, Step, Transcript } from '../../core/index.ts'
import { hash } from '../../core/index.ts'

/** Ids of calls to the left of the one that is looked at. */
/** A result that may name its tool instead of a call, and does. */
export function isNamed({ id, name, type }: Part, { named }: { readonly named?: readonly string[] }): boolean {
  return id === undefined && name !== undefined && named?.includes(type) === true
}

export class IdsBefore {
  private readonly seen = new Set<string>()
  private readonly counts = new Map<string, number>()

  add(id: string | undefined): void {
    if (id !== undefined) this.seen.add(id)
  }

  has(id: string): boolean {
    return this.seen.has(id)
  }

  /** Nine letters and digits: legal wherever ids are checked. Never cut: ids that differ at their end would clash. */
  hashed(source: string): string {
    let name = hash(source)
    for (let n = 2; this.seen.has(name); n++) name = hash(`${source} ${n}`)
    return name
  }

  /** The old id with a number after it. */
  numbered(id: string): string {
    let n = this.counts.get(id) ?? 2
    let name: string
    do name = `${id}_${n++}`
    while (this.seen.has(name))
    this.counts.set(id, n)
    this.seen.add(name)
    return name
  }
}

/** The place of a part as text, for an id that is derived from it. */
export function placeText({ message, list, index }: Part): string {
  return `${message}/${list.join('/')}/${index}`
}

/** A call that is a field of its message has no id in its shape. */
export function hasIdField(call: Part): boolean {
  return call.index >= 0 || call.list.length === 0
}

/**
 * Call and result get the new id together, and so does any second result for this call.
 * A call that may still be answered keeps its id: the client answers it by that.
 */
export function renameCall(t: Transcript, call: Part, id: string): Fix {
  const result = t.pairs.results[call.order]
  if (!result && t.inProgress && t.pairs.isPending(call.order)) return []
  const parts = [call, ...(result ? [result] : []), ...(secondResults(t).get(call.order) ?? [])]
  return parts.map((part): Step => ({ do: 'write', part, change: { id } }))
}

/** Second results by call. */
function secondResults(t: Transcript): ReadonlyMap<number, readonly Part[]> {
  return t.derive(secondResults, () => {
    const byCall = new Map<number, Part[]>()
    for (const { outcome, part, call } of t.pairs.unmatched) {
      if (outcome !== 'duplicate') continue
      const list = byCall.get(call)
      if (list) list.push(part)
      else byCall.set(call, [part])
    }
    return byCall
  })
}
