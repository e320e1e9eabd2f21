/** Neighboring messages, without system messages: leading ones do not count, a later one separates its neighbors. */
import { HAS_RESULT, ROLE, type Transcript } from '../../core/index.ts'

/** Calls `visit` with each message and the one before it; -1: it is the first. */
export function eachNeighbor({ flags }: Transcript, visit: (before: number, message: number) => void): void {
  let before = -1
  let apart = false
  for (let i = 0; i < flags.length; i++) {
    if ((flags[i]! & 7) === ROLE.system) {
      apart = before >= 0
      continue
    }
    if (!apart) visit(before, i)
    before = i
    apart = false
  }
}

/** The last message that is not a system message; -1: none. */
export function lastSpoken({ flags }: Transcript): number {
  let at = flags.length - 1
  while (at >= 0 && (flags[at]! & 7) === ROLE.system) at--
  return at
}

/** Messages outside the assistant's turns that carry results of the provider's own tools. */
export function servedResults(t: Transcript): ReadonlySet<number> {
  return t.derive(
    servedResults,
    () => new Set(t.serverParts.filter((part) => part.kind === 'result').map((part) => part.message)),
  )
}

/** A tool message, or a message of the user that carries results. */
export function carriesResults(t: Transcript, message: number): boolean {
  return t.role(message) === 'tool' || (t.flags[message]! & HAS_RESULT) !== 0 || servedResults(t).has(message)
}
