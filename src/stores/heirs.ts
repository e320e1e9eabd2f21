/**
 * What becomes of the branches of a session that is deleted: the one that shares most of it gets the shared records, and
 * the others branch off from that one.
 */
import type { Base } from '../session/index.ts'

export interface Heirs {
  /** The branch that gets the records of the deleted session up to this position. */
  readonly heir?: Base
  /** Where each branch begins afterward; undefined: it is no branch any more. */
  readonly bases: ReadonlyMap<string, Base | undefined>
}

/** `base`: that of the deleted session. `branches`: where each of its branches begins in it. */
export function heirsOf(base: Base | undefined, branches: readonly Base[]): Heirs {
  const first = base?.head ?? 0
  const bases = new Map<string, Base | undefined>()
  const [heir, ...others] = branches.filter(({ head }) => head > first).sort((a, b) => b.head - a.head)
  for (const { session, head } of branches) if (head <= first) bases.set(session, base && { ...base, head })
  for (const { session, head } of others) bases.set(session, { session: heir!.session, head })
  if (!heir) return { bases }
  return { heir, bases: bases.set(heir.session, base) }
}
