/**
 * What of a file its format does not know.
 */
import type { FileRecord } from '../types.ts'

export function unknownTypes(records: readonly FileRecord[]): readonly string[] {
  return [...new Set(records.filter(({ known }) => !known).map(({ type }) => `record type "${type}"`))]
}
