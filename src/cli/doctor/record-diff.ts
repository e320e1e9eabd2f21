/**
 * A repair plan as a diff of records: line, change and reason, and for a changed record each field before and after.
 */
import { equal, isObject, pointer, tryParseJson } from '../../core/index.ts'
import type { RecordChange, RepairPlan, SessionFile } from '../../session-files/types.ts'
import { compact } from '../json-output.ts'
import { oneLine, type Paint } from '../terminal/index.ts'

export interface FieldChange {
  /** JSON pointer inside the record. */
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

export interface RecordDiff {
  readonly op: RecordChange['op']
  /** The line of the record, or of the one after which it is inserted. */
  readonly line: number
  readonly type: string
  readonly why: string
  readonly fields: readonly FieldChange[]
}

const MOST_FIELDS = 12

export function recordDiffs(file: SessionFile, { changes }: RepairPlan): readonly RecordDiff[] {
  return changes.map((change): RecordDiff => {
    const record = file.records[change.op === 'insert' ? change.after : change.record]
    const line = record?.line ?? 0
    const { op, why } = change
    if (op === 'remove')
      return { op, line, type: record?.type ?? '', why, fields: [{ path: '', before: record?.value }] }
    const value = parsed(change.bytes)
    if (op === 'insert') return { op, line, type: typeOf(value), why, fields: [{ path: '', after: value }] }
    return { op, line, type: record?.type ?? '', why, fields: fieldChanges(record?.value, value).slice(0, MOST_FIELDS) }
  })
}

/** Where two values differ, as deep as they have the same shape. */
export function fieldChanges(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (equal(before, after)) return []
  const isBoth = (isObject(before) && isObject(after)) || (Array.isArray(before) && Array.isArray(after))
  if (!isBoth) return [{ path, before, after }]
  if (Array.isArray(before) && Array.isArray(after) && before.length !== after.length) return [{ path, before, after }]
  const fields = (value: unknown) => new Map<string, unknown>(Object.entries(value as object))
  const [old, now] = [fields(before), fields(after)]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) =>
    fieldChanges(old.get(key), now.get(key), path + pointer([key])),
  )
}

const LONGEST = 160

/** For a terminal: `-` and `+` as in a diff. */
export function diffLines(diffs: readonly RecordDiff[], ink: Paint): readonly string[] {
  return diffs.flatMap(({ op, line, type, why, fields }) => {
    const verb =
      op === 'insert'
        ? `after line ${line}: new record`
        : op === 'remove'
          ? `line ${line}: removed`
          : `line ${line}: changed`
    const head = `  ${ink.bold(verb)} ${ink.dim(oneLine(type, 60))}  ${oneLine(why, 300)}`
    const body = fields.flatMap(({ path, before, after }) => [
      ...(before === undefined ? [] : [ink.red(`    - ${label(path)}${shown(before)}`)]),
      ...(after === undefined ? [] : [ink.green(`    + ${label(path)}${shown(after)}`)]),
    ])
    return [head, ...body]
  })
}

/** Without content: types and lengths instead of values, as machine-readable reports have it by default. */
export function redactedDiff({ fields, ...rest }: RecordDiff): object {
  const outline = (value: unknown) => (value === undefined ? undefined : outlineOf(value))
  return {
    ...rest,
    fields: fields.map(({ path, before, after }) => ({ path, before: outline(before), after: outline(after) })),
  }
}

function outlineOf(value: unknown): string {
  if (typeof value === 'string') return `string of ${value.length}`
  if (Array.isArray(value)) return `array of ${value.length}`
  return isObject(value) ? `object with ${Object.keys(value).slice(0, 12).join(', ')}` : String(value)
}

function label(path: string): string {
  return path === '' ? '' : `${oneLine(path, 80)}: `
}

function shown(value: unknown): string {
  return oneLine(compact(value), LONGEST)
}

function parsed(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes).toString('utf8').trim()
  return tryParseJson(text) ?? text
}

function typeOf(value: unknown): string {
  return isObject(value) && typeof value['type'] === 'string' ? value['type'] : ''
}
