/** Faults of one record, and the change that repairs one. */
import type { FileFault, FileRecord, RecordChange } from '../types.ts'
import { lineOf } from './line.ts'

type Place = Pick<FileRecord, 'index'>

export function errorIn({ index }: Place, rule: string, message: string, fix?: readonly RecordChange[]): FileFault {
  return { rule, severity: 'error', record: index, message, fix }
}

export function warningIn({ index }: Place, rule: string, message: string, fix?: readonly RecordChange[]): FileFault {
  return { rule, severity: 'warning', record: index, message, fix }
}

/** Another value for this record. */
export function replaced({ index }: Place, value: unknown, why: string): RecordChange {
  return { op: 'replace', record: index, bytes: lineOf(value), why }
}
