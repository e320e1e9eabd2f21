/** What Copilot CLI will not load: one line that its reader does not accept makes the whole session unreadable. */

import { text } from '../json-values.ts'
import { recordBytes } from '../record-draft.ts'
import { bytesOf, sameBytes, textOf } from '../salvage/bytes.ts'
import { errorIn, warningIn } from '../shared/faults.ts'
import { repairedPath } from '../shared/linked.ts'
import type { FileFault, FileRecord, SessionFile } from '../types.ts'
import { KEYS } from './read.ts'

const SEPARATORS = /[\u2028\u2029]/g

export function check(file: SessionFile): readonly FileFault[] {
  return [
    ...headFault(file),
    ...duplicates(file),
    ...repairedPath(file.records, KEYS, 'Copilot CLI').faults,
    ...file.records.flatMap((record) => separatorFault(file, record)),
    ...file.records.flatMap(unknownEvent),
  ]
}

function headFault({ records }: SessionFile): readonly FileFault[] {
  const first = records[0]
  if (!first || first.type === 'session.start') return []
  const message = `The first event is ${first.type}, not session.start: Copilot CLI calls the session corrupted. Only you can write the head: it holds the session id and the version.`
  return [errorIn(first, 'missing-head-record', message)]
}

function separatorFault(file: SessionFile, record: FileRecord): readonly FileFault[] {
  const raw = textOf(recordBytes(file, record))
  if (!SEPARATORS.test(raw)) return []
  SEPARATORS.lastIndex = 0
  const escaped = raw.replace(SEPARATORS, (char) => `\\u${char.charCodeAt(0).toString(16)}`)
  const message = `The event in line ${record.line} has a raw U+2028 or U+2029 in a string. It is legal JSON, but Copilot CLI takes it for a line break. The repair escapes it.`
  const why = 'raw-line-separator: escaped'
  const fix = [{ op: 'replace', record: record.index, bytes: bytesOf(escaped), why }] as const
  return [errorIn(record, 'raw-line-separator', message, fix)]
}

/** An event that was written twice, byte for byte. */
function duplicates(file: SessionFile): readonly FileFault[] {
  const seen = new Map<string, FileRecord>()
  return file.records.flatMap((record): FileFault[] => {
    const id = text(record.value, 'id')
    if (id === undefined) return []
    const first = seen.get(id)
    if (!first) {
      seen.set(id, record)
      return []
    }
    const same = sameBytes(recordBytes(file, first), recordBytes(file, record))
    const message = `Event ${id} is in line ${first.line} and again in line ${record.line}.`
    if (!same) return [errorIn(record, 'duplicate-record', `${message} They differ: only you can decide.`)]
    const fix = [{ op: 'remove', record: record.index, why: 'duplicate-record: an exact copy' }] as const
    return [errorIn(record, 'duplicate-record', `${message} The repair removes the copy.`, fix)]
  })
}

function unknownEvent(record: FileRecord): readonly FileFault[] {
  if (record.known) return []
  const message = `Event type "${record.type}" in line ${record.line} is not known here. If your version of Copilot CLI does not know it either, it calls the session corrupted. A lossy repair removes the event.`
  const fix = [{ op: 'remove', record: record.index, why: 'unknown-event-type: removed on request' }] as const
  return [{ ...warningIn(record, 'unknown-event-type', message, fix), lossy: true }]
}
