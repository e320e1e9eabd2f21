/**
 * Calls of tools that the provider runs itself, with their results: paired by id alone, wherever they stand.
 */
import type { Part } from './part.ts'

export class ServerPairs {
  /** Results that no call stands before. */
  readonly orphans: Part[] = []
  /** Calls without a result, by id. */
  readonly open = new Map<string, Part>()
  private readonly called = new Set<string>()

  take(part: Part): void {
    const id = part.id ?? ''
    if (part.kind === 'call') {
      this.open.set(id, part)
      this.called.add(id)
    } else if (part.kind === 'result' && !this.open.delete(id) && !this.called.has(id)) this.orphans.push(part)
  }
}
