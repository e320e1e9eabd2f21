/** What formats have in common: the fields of a file that was read, and the defaults of a format. */
import { places } from '../places.ts'
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

type Defined = Pick<SessionFormat, 'id' | 'title' | 'storage' | 'recognize' | 'read'> & Partial<SessionFormat>

/** By default a format is never written, and its places are found by its id. An export has no places. */
export function defineFormat(format: Defined): SessionFormat {
  const locate = new Map<string, SessionFormat['locate']>(Object.entries(places)).get(format.id) ?? (() => [])
  return { writes: 'no', locate, write: () => [], check: () => [], ...format }
}
