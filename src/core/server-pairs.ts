/** Calls of tools that the provider runs itself, with their results: paired by id alone, wherever they are. */
import type { Part } from './part.ts'

export interface ServerPairs {
  /** Results without a call before them. */
  readonly orphans: readonly Part[]
  /** Calls without a result, by id. */
  readonly open: ReadonlyMap<string, Part>
}

export function pairServerParts(parts: readonly Part[]): ServerPairs {
  const orphans: Part[] = []
  const open = new Map<string, Part>()
  const called = new Set<string>()
  for (const part of parts) {
    const id = part.id ?? ''
    if (part.kind === 'call') {
      open.set(id, part)
      called.add(id)
    } else if (part.kind === 'result' && !open.delete(id) && !called.has(id)) orphans.push(part)
  }
  return { orphans, open }
}
