/**
 * Records that form one line by parent ids, the last one in the file being the newest: Copilot CLI, pi, Qwen Code.
 */
import { type JsonObject, withKey } from '../../core/index.ts'
import type { FileFault, FileRecord } from '../types.ts'
import { lineOf } from './line.ts'
import { text } from './values.ts'

export interface LinkKeys {
  readonly id: string
  readonly parent: string
}

export interface Linked {
  readonly byId: ReadonlyMap<string, FileRecord>
  /** From the root to the newest record. */
  readonly path: readonly FileRecord[]
  /** Parents that a repair sets, by the index of the record. */
  readonly relinked: ReadonlyMap<number, FileRecord>
}

/** The path as the agent walks it, or with `bridge` as it is after broken links were set right. */
export function linkedPath(
  records: readonly FileRecord[],
  keys: LinkKeys,
  bridge: boolean,
  title: string,
): Linked & { readonly faults: readonly FileFault[] } {
  const own = records.filter(({ value }) => text(value, keys.id) !== undefined)
  const byId = new Map(own.map((record) => [text(record.value, keys.id)!, record]))
  const places = new Map(own.map((record, place) => [record.index, place]))
  const relinked = new Map<number, FileRecord>()
  const faults: FileFault[] = []
  const path: FileRecord[] = []
  const seen = new Set<FileRecord>()
  // Of several records with one id, the id leads to the last one.
  const isTarget = (record: FileRecord) => !seen.has(record) && byId.get(text(record.value, keys.id)!) === record
  let at: FileRecord | undefined = own.at(-1)
  while (at) {
    seen.add(at)
    path.push(at)
    const parent = text(at.value, keys.parent)
    let next: FileRecord | undefined = parent === undefined ? undefined : byId.get(parent)
    if (parent !== undefined && (next === undefined || seen.has(next)) && bridge) {
      next = nearest(own, places.get(at.index)!, isTarget)
      if (next) {
        relinked.set(at.index, next)
        faults.push(faultOf(at, parent, next, keys, title))
      }
    }
    at = next && !seen.has(next) ? next : undefined
  }
  return { byId, path: path.reverse(), relinked, faults }
}

function nearest(
  own: readonly FileRecord[],
  place: number,
  isTarget: (record: FileRecord) => boolean,
): FileRecord | undefined {
  for (let i = place - 1; i >= 0; i--) if (isTarget(own[i]!)) return own[i]
  return undefined
}

function faultOf(record: FileRecord, parent: string, to: FileRecord, keys: LinkKeys, title: string): FileFault {
  const value = withKey(record.value as JsonObject, keys.parent, text(to.value, keys.id))
  return {
    rule: 'dangling-parent',
    severity: 'error',
    record: record.index,
    message: `Parent ${parent} of the record in line ${record.line} is not in the file, or leads back to it: ${title} loads nothing that comes before it. The repair links it to line ${to.line}.`,
    fix: [
      { op: 'replace', record: record.index, bytes: lineOf(value), why: `dangling-parent: linked to line ${to.line}` },
    ],
  }
}
