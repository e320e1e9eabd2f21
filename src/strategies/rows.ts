/**
 * A stretch of a history read once: its parts, and which call each result answers.
 */
import { type Dialect, type Part, placeOf, type Role, Transcript, withValueAt } from '../core/index.ts'

export interface Row {
  readonly role: Role
  readonly parts: readonly Part[]
}

export interface Rows {
  readonly rows: readonly Row[]
  callOf(result: Part): Part | undefined
  /** Calls that have no result yet and may still get one. */
  readonly open: readonly Part[]
}

/** Places are those of the history that was given. */
export function rowsOf(history: readonly unknown[], dialect: Dialect): Rows {
  const transcript = new Transcript(history, dialect)
  const { pairs } = transcript
  const rows = history.map((_, i) => ({ role: transcript.role(i), parts: transcript.partsOf(i) }))
  const calls = new Map<Part, Part>()
  const open: Part[] = []
  for (const call of transcript.calls) {
    const result = pairs.results[call.order]
    if (result) calls.set(result, call)
    else open.push(call)
  }
  return { rows, callOf: (result) => calls.get(result), open }
}

/** The history with other values in the place of parts; a part that became `undefined` is taken out. */
export function withParts(
  history: readonly unknown[],
  changes: ReadonlyMap<Part, unknown>,
  dialect: Dialect,
): readonly unknown[] {
  const byMessage = new Map<number, [Part, unknown][]>()
  for (const [part, value] of changes) {
    const list = byMessage.get(part.message)
    if (list) list.push([part, value])
    else byMessage.set(part.message, [[part, value]])
  }
  const now: unknown[] = []
  for (let i = 0; i < history.length; i++) {
    const list = byMessage.get(i)
    const message = list ? changed(history[i], list, dialect) : history[i]
    if (message !== undefined) now.push(message)
  }
  return now
}

function changed(message: unknown, changes: readonly [Part, unknown][], dialect: Dialect): unknown {
  let now = message
  // Last place first, so that what is taken out moves nothing that is still to be changed.
  for (const [part, value] of changes.toSorted(([a], [b]) => b.index - a.index)) {
    const path = placeOf(part).slice(1)
    if (value !== undefined) now = withValueAt(now, path, value)
    else if (path.length === 0) return undefined
    else now = part.index < 0 ? withValueAt(now, path, undefined) : without(now, part)
  }
  return dialect.tidy(now, message)
}

function without(message: unknown, part: Part): unknown {
  const list = part.list.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], message) as unknown[]
  return withValueAt(
    message,
    part.list,
    list.filter((_, i) => i !== part.index),
  )
}
