/** Replaces or removes single parts of a history. Messages without a change keep their reference. */
import { type Dialect, type Part, valueAt, withValueAt } from '../core/index.ts'

/** The history with new values for these parts; a part whose new value is `undefined` is removed. */
export function replaceParts(
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
  return dialect.cleanUp(now, message)
}

/** Grouped by list, so that each is copied once. Inner lists first: an element of an outer one may be removed. */
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
