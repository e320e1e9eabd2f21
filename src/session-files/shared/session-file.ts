/**
 * What formats have in common: the fields of a file that was read, and those of a format that is only read.
 */
import type { Conversation, FileInput, FileRecord, SessionFile, SessionFormat } from '../types.ts'

type Details = Pick<Partial<SessionFile>, 'version' | 'sessionId' | 'cwd' | 'unknown'>

/** `unknown`: by default the record types that the format does not know. */
export function sessionFile(
  format: string,
  input: FileInput,
  { records, salvage }: Pick<SessionFile, 'records' | 'salvage'>,
  conversations: readonly Conversation[],
  details: Details = {},
): SessionFile {
  return { format, input, records, salvage, conversations, unknown: unknownTypes(records), ...details }
}

export function unknownTypes(records: readonly FileRecord[]): readonly string[] {
  return [...new Set(records.filter(({ known }) => !known).map(({ type }) => `record type "${type}"`))]
}

type ReadOnly = Pick<SessionFormat, 'id' | 'title' | 'storage' | 'recognize' | 'read'> &
  Partial<Pick<SessionFormat, 'locate' | 'check' | 'queries'>>

/** A format that is never written. An export has no place of its own. */
export function readOnlyFormat(format: ReadOnly): SessionFormat {
  return { writes: 'no', locate: () => [], write: () => [], check: () => [], ...format }
}
