import { formatOf } from './open.ts'
import { providerFindings } from './provider-findings.ts'
import { readingOf } from './repair-rounds.ts'
import type { FileFault, FileFinding, PlanOptions, QuarantineReason, SalvageNote, SessionFile } from './types.ts'

const LOST: Readonly<Record<QuarantineReason, string>> = {
  'byte-order-mark': 'The file begins with a byte order mark',
  'nul-bytes': 'There are NUL bytes where a record should be',
  'torn-record': 'A record ends before it is complete',
  'truncated-prefix': 'A record was cut off and the next one was written after it in the same line',
  'not-json': 'This line is not JSON',
  'not-a-record': 'This line is JSON, but no record',
}

const NOTED: Readonly<Record<SalvageNote['kind'], string>> = {
  'utf-16': 'The file is in UTF-16; agents read UTF-8. The repair writes UTF-8.',
  'raw-control-character': 'A string has a raw control character, which JSON forbids. The repair escapes it.',
  'record-over-several-lines': 'One record is spread over several lines. The repair writes it as one.',
  'glued-records': 'Several records are in one line. The repair gives each a line of its own.',
  'list-separators': 'A comma is missing or one too many between records. The repair writes the list as JSON.',
  'document-cut-short': 'The document ends before it is complete. What is complete in it was read.',
}

/** What is wrong with a file, with the faults that its format found. A repair is one that may be possible. */
export function findingsOf(
  file: SessionFile,
  faults: readonly FileFault[],
  options: PlanOptions,
): readonly FileFinding[] {
  const format = formatOf(file)
  const loads = faults.map(
    (fault): FileFinding => ({
      kind: 'load',
      rule: fault.rule,
      severity: fault.severity,
      record: fault.record,
      line: fault.line ?? (fault.record === undefined ? undefined : file.records[fault.record]?.line),
      message: fault.message,
      repair: fault.fix ? (fault.lossy ? 'lossy' : 'safe') : undefined,
    }),
  )
  const found = [...salvageFindings(file), ...loads, ...providerFindings(file, format.title, options)]
  // Where nothing is written, or nothing would be left, `repair` changes nothing.
  const isLeft = !readingOf(format) || file.input.tables || format.writes === 'no' || file.records.length === 0
  const all = isLeft ? found.map((one) => ({ ...one, repair: undefined })) : found
  return options.only ? all.filter(({ rule }) => options.only?.includes(rule)) : all
}

function salvageFindings({ salvage }: SessionFile): FileFinding[] {
  const lost = salvage.quarantined.map(({ line, offset, bytes, reason }) => {
    const size = `${bytes.length} ${bytes.length === 1 ? 'byte' : 'bytes'}`
    const message = `${LOST[reason]}: ${size} at offset ${offset}. The repair moves them to the quarantine file.`
    return { line, rule: reason, message }
  })
  const noted = salvage.notes.map(({ line, kind }) => ({ line, rule: kind, message: NOTED[kind] }))
  return [...lost, ...noted]
    .sort((a, b) => a.line - b.line)
    .map((one) => ({ kind: 'salvage', severity: 'error', repair: 'safe', ...one }))
}
