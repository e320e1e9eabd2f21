/**
 * Calls of tools that the provider runs itself, with their results: paired by id alone, wherever they stand.
 */
import type { Part } from './part.ts'

const NONE: ReadonlyMap<string, Part> = new Map()

export class ServerPairs {
  /** Results that no call stands before. */
  readonly orphans: Part[] = []
  // Most histories have no such calls: the tables are made with the first.
  #waiting: Map<string, Part> | undefined
  #called: Set<string> | undefined

  /** Calls without a result, by id. */
  get open(): ReadonlyMap<string, Part> {
    return this.#waiting ?? NONE
  }

  take(part: Part): void {
    const id = part.id ?? ''
    if (part.kind === 'call') {
      this.#waiting ??= new Map()
      this.#waiting.set(id, part)
      this.#called ??= new Set()
      this.#called.add(id)
    } else if (part.kind === 'result' && !this.#waiting?.delete(id) && !this.#called?.has(id)) this.orphans.push(part)
  }
}
