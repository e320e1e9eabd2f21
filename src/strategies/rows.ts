/**
 * A stretch of a history read once: its parts, and which call each result answers.
 */
import { type Dialect, outlineOf, Pairing, type Part, ROLE, type Role, valueAt, withValueAt } from '../core/index.ts'

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
  const rows: Row[] = []
  const pairing = new Pairing(dialect, history)
  let before = ROLE.unknown
  for (let i = 0; i < history.length; i++) {
    const parts: Part[] = []
    const role = dialect.read(history[i], i, parts)
    pairing.message(ROLE[role], before)
    for (const part of parts) {
      if (part.server) continue
      if (part.kind === 'call') pairing.call(part, ROLE[role])
      else if (part.kind === 'result') pairing.result(part, ROLE[role])
      else pairing.other(ROLE[role])
    }
    before = outlineOf(role, parts)
    rows.push({ role, parts })
  }
  pairing.finish(() => false)
  const calls = new Map<Part, Part>()
  const open: Part[] = []
  for (let i = 0; i < pairing.count; i++) {
    const answer = pairing.answerAt(i)
    if (answer) calls.set(answer, pairing.callAt(i))
    else open.push(pairing.callAt(i))
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
  for (const list of byList(changes)) {
    const { list: path, index } = list[0]![0]
    if (index >= 0) now = withValueAt(now, path, edited(valueAt(now, path) as readonly unknown[], list))
    else if (path.length === 0 && list[0]![1] === undefined) return undefined
    else now = withValueAt(now, path, list[0]![1])
  }
  return dialect.tidy(now, message)
}

/** Changes in one list together, so that the list is copied once. Inner lists come first: an element may be taken out of the outer one. */
function byList(changes: readonly [Part, unknown][]): readonly (readonly [Part, unknown][])[] {
  const lists = new Map<string, [Part, unknown][]>()
  for (const change of changes) {
    const [part] = change
    const key = JSON.stringify([part.list, part.index < 0])
    const list = lists.get(key)
    if (list) list.push(change)
    else lists.set(key, [change])
  }
  return [...lists.values()].sort(([a], [b]) => b![0].list.length - a![0].list.length)
}

function edited(list: readonly unknown[], changes: readonly [Part, unknown][]): readonly unknown[] {
  const values = new Map(changes.map(([part, value]) => [part.index, value]))
  return list.flatMap((item, i) => {
    if (!values.has(i)) return [item]
    const value = values.get(i)
    return value === undefined ? [] : [value]
  })
}
