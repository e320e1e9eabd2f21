/** Records in a chain of parent ids, the last one in the file being the newest: Copilot CLI, pi, Qwen Code. */
import { type JsonObject, withKey } from '../../core/index.ts'
import { text } from '../json-values.ts'
import type { ExcludedBecause, FileFault, FileRecord, Reach } from '../types.ts'
import { ancestors } from './ancestors.ts'
import { errorIn, replaced } from './faults.ts'

export interface LinkKeys {
  readonly id: string
  readonly parent: string
}

type Bridge = (record: FileRecord, parent: string, path: ReadonlySet<FileRecord>) => FileRecord | undefined

/** From the root to the newest record. `bridge`: the parent of a record whose parent is missing or follows it. */
export function linkedPath(
  records: readonly FileRecord[],
  keys: LinkKeys,
  bridge: Bridge = () => undefined,
): readonly FileRecord[] {
  const linked = records.filter(({ value }) => text(value, keys.id) !== undefined)
  const byId = new Map(linked.map((record) => [text(record.value, keys.id), record]))
  const path = ancestors(linked.at(-1), (record, found) => {
    const parent = text(record.value, keys.parent)
    const next = byId.get(parent)
    return parent === undefined || (next && !found.has(next)) ? next : bridge(record, parent, found)
  })
  return [...path].reverse()
}

/** The path as it is after a repair of broken links, and what is broken. */
export function repairedPath(records: readonly FileRecord[], keys: LinkKeys, title: string) {
  const linked = records.filter(({ value }) => text(value, keys.id) !== undefined)
  const places = new Map(linked.map((record, place) => [record, place]))
  const faults: FileFault[] = []
  const last = new Map(linked.map((record) => [text(record.value, keys.id), record]))
  const path = linkedPath(linked, keys, (record, parent, found) => {
    // Of several records with one id, the id leads to the last one.
    const isTarget = (one: FileRecord) => !found.has(one) && last.get(text(one.value, keys.id)) === one
    let place = places.get(record)! - 1
    while (place >= 0 && !isTarget(linked[place]!)) place--
    const before = linked[place]
    if (before) faults.push(danglingParent(record, parent, before, keys, title))
    return before
  })
  return { path, faults }
}

function danglingParent(record: FileRecord, parent: string, to: FileRecord, keys: LinkKeys, title: string): FileFault {
  const value = withKey(record.value as JsonObject, keys.parent, text(to.value, keys.id))
  const message = `Parent ${parent} of the record in line ${record.line} is not in the file, or leads back to it: ${title} loads nothing that comes before it. The repair links it to line ${to.line}.`
  const fix = [replaced(record, value, `dangling-parent: linked to line ${to.line}`)]
  return errorIn(record, 'dangling-parent', message, fix)
}

/** `content`: all records with a message. `sent`: those of the path that the next request is made of. */
export function reachOf(
  content: readonly FileRecord[],
  path: readonly FileRecord[],
  sent: readonly FileRecord[],
  { parent }: LinkKeys,
): Reach {
  const [onPath, isSent, root] = [new Set(path), new Set(sent), path[0]]
  const isDangling = root !== undefined && text(root.value, parent) !== undefined
  const reasonFor = (record: FileRecord): ExcludedBecause => {
    if (onPath.has(record)) return 'before-compaction'
    return isDangling && record.index < root.index ? 'dangling-parent' : 'other-branch'
  }
  const excluded = content
    .filter((record) => !isSent.has(record))
    .map((record) => ({ record: record.index, because: reasonFor(record) }))
  return { included: content.length - excluded.length, total: content.length, excluded }
}
