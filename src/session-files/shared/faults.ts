/** Faults of one record, and the change that repairs one. */
import type { FileFault, FileRecord, RecordChange } from '../types.ts'
import { lineOf } from './line.ts'

/** `{}`: the whole file, or the record that a data set checks. */
type Place = Partial<Pick<FileRecord, 'index'>>

export function errorIn({ index }: Place, rule: string, message: string, fix?: readonly RecordChange[]): FileFault {
  return { rule, severity: 'error', record: index, message, fix }
}

export function warningIn({ index }: Place, rule: string, message: string, fix?: readonly RecordChange[]): FileFault {
  return { rule, severity: 'warning', record: index, message, fix }
}

/** Another value for this record. */
export function replaced({ index }: Pick<FileRecord, 'index'>, value: unknown, why: string): RecordChange {
  return { op: 'replace', record: index, bytes: lineOf(value), why }
}
