/**
 * Rows of a database as records. They have no bytes in a file: `start` and `end` are 0, `line` is the place in its
 * table.
 */
import { isObject, type JsonObject, wordOf } from '../core/index.ts'
import { fromJson, listIn } from './json-values.ts'
import type { FileInput, FileRecord, RecordType, Salvage } from './types.ts'

export const NO_SALVAGE: Salvage = { quarantined: [], notes: [] }

export function rowsOf(input: FileInput, table: string): readonly JsonObject[] {
  const rows = input.tables?.[table]
  return Array.isArray(rows) ? rows.filter(isObject) : []
}

export interface Row {
  readonly row: JsonObject
  readonly index: number
}

/** Appends one record for each row. */
export function addRows(
  records: FileRecord[],
  rows: readonly JsonObject[],
  typeOf: (row: JsonObject) => RecordType,
): readonly Row[] {
  return rows.map((row, i) => {
    const index = records.length
    records.push({ index, line: i + 1, start: 0, end: 0, value: row, ...typeOf(row) })
    return { row, index }
  })
}

/** A column with JSON, as text or already parsed. */
export function jsonColumn(row: JsonObject, column: string): unknown {
  const value = row[column]
  return typeof value === 'string' ? fromJson(value) : value
}

/** A column with a JSON list; an empty one if it has anything else. */
export function listColumn(row: JsonObject, column: string): readonly unknown[] {
  return listIn({ list: jsonColumn(row, column) }, 'list')
}

/** Orders rows by columns: numbers by value, texts by their characters. */
export function byColumns(...columns: readonly string[]): (a: JsonObject, b: JsonObject) => number {
  return (a, b) => {
    for (const column of columns) {
      const [left, right] = [comparable(a[column]), comparable(b[column])]
      if (left < right) return -1
      if (left > right) return 1
    }
    return 0
  }
}

function comparable(value: unknown): string | number {
  return typeof value === 'number' ? value : wordOf(value)
}
