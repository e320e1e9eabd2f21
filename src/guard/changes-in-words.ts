/** The edits of a repair in words: place, kind and ids, never content. */
import { type Dialect, type Edit, isObject, type Patch, pointer, readMessage } from '../core/index.ts'

/** A log line must not grow with the history. */
const MOST = 10

export function changesOf(patch: Patch, dialect: Dialect): readonly string[] {
  return patch.slice(0, MOST).map((edit) => {
    const place = pointer([...edit.path, edit.op === 'set' ? edit.key : edit.index])
    return `${place}: ${whatOf(edit, dialect)}`
  })
}

/** A set key has its name in the place. */
export function whatOf(edit: Edit, dialect: Dialect): string {
  if (edit.op === 'set') return edit.now === undefined ? 'removed' : edit.was === undefined ? 'added' : 'changed'
  const name = edit.path.length <= 1 ? messageName : partName
  const listed = (values: readonly unknown[]) => values.map((value) => name(value, dialect)).join(', ')
  if (edit.remove.length === 0) return `adds ${listed(edit.insert)}`
  if (edit.insert.length === 0) return `removes ${listed(edit.remove)}`
  return `replaces ${listed(edit.remove)} by ${listed(edit.insert)}`
}

/** Its role, and the kinds and ids of its parts. An item of Responses has no role. */
function messageName(value: unknown, dialect: Dialect): string {
  const { role, parts } = readMessage(value, dialect)
  const kinds = parts.map(({ kind, id }) => (id ? `${kind} ${id}` : kind)).join(', ')
  return [role && `${role} message`, kinds && `(${kinds})`].filter(Boolean).join(' ') || 'a message'
}

/** Its type, in Gemini's format its only key. */
function partName(value: unknown): string {
  if (!isObject(value)) return 'a value'
  return typeof value['type'] === 'string' ? value['type'] : (Object.keys(value)[0] ?? 'an empty part')
}
