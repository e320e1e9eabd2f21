/** The report of a file as plain data: it is sent between threads, cached, and printed by the reporters. */
import type { FileFinding } from '../../session-files/types.ts'
import { type Checked, unreadText, type Verdict } from '../../session-files/verdict.ts'

/** `message` is for people: it names values in full. */
export interface ReportFinding extends Omit<FileFinding, 'record' | 'finding'> {
  /** Turn and round, as in `turn 12, round 3`. */
  readonly round?: string | undefined
  /** Path inside the history, as a JSON pointer. */
  readonly at?: string | undefined
  /** The message without content: ids shortened, other texts by their length. */
  readonly redacted: string
  /** The record itself, if it was asked for with `--with-text`. */
  readonly text?: string | undefined
}

/** `no-history`: a document that has no history in it, and is not named. It is counted and not listed. */
export type FileStatus = Verdict | 'unreadable' | 'no-history'

export interface FileReport {
  readonly path: string
  readonly status: FileStatus
  /** Why it cannot be read. */
  readonly error?: string | undefined
  /** What was not read, and may be a part of the history. */
  readonly notUnderstood: readonly string[]
  /** The part that was checked, if it is not all of the file. */
  readonly checked?: Checked | undefined
  readonly format?: string | undefined
  readonly title?: string | undefined
  readonly version?: string | undefined
  readonly sessionId?: string | undefined
  readonly cwd?: string | undefined
  readonly size: number
  readonly mtimeMs: number
  readonly records: number
  readonly conversations: number
  readonly messages: number
  readonly reach?: { readonly included: number; readonly total: number } | undefined
  readonly unknown: readonly string[]
  readonly provider?: string | undefined
  readonly model?: string | undefined
  /** At most `MOST_FINDINGS`; the counts are those of all. */
  readonly findings: readonly ReportFinding[]
  readonly errors: number
  readonly warnings: number
  /** How many of the errors and warnings a repair removes without loss, and with. */
  readonly repairable: { readonly safe: number; readonly lossy: number }
}

export const MOST_FINDINGS = 1000

export interface Listed {
  readonly files: readonly FileReport[]
  /** Documents in folders that have no history in them: not listed. */
  readonly leftOut: number
}

export interface RunReport extends Listed {
  readonly command: string
  readonly version: string
}

export interface Totals {
  readonly files: number
  readonly valid: number
  readonly withErrors: number
  readonly notUnderstood: number
  readonly unreadable: number
  readonly errors: number
  readonly warnings: number
  readonly safe: number
  readonly lossy: number
}

export function totalsOf(files: readonly FileReport[]): Totals {
  const sum = (value: (file: FileReport) => number) => files.reduce((all, file) => all + value(file), 0)
  return {
    files: files.length,
    valid: sum((file) => (file.status === 'valid' || (file.status === 'findings' && file.errors === 0) ? 1 : 0)),
    withErrors: sum((file) => (file.errors > 0 ? 1 : 0)),
    notUnderstood: sum((file) => (file.status === 'not-understood' ? 1 : 0)),
    unreadable: sum((file) => (file.status === 'unreadable' ? 1 : 0)),
    errors: sum((file) => file.errors),
    warnings: sum((file) => file.warnings),
    safe: sum((file) => file.repairable.safe),
    lossy: sum((file) => file.repairable.lossy),
  }
}

/** Size and time of a file. */
export interface Stamp {
  readonly size: number
  readonly mtimeMs: number
}

/** A file that could not be read. */
export function unreadable(path: string, error: string, stamp: Stamp = { size: 0, mtimeMs: 0 }): FileReport {
  const nothing = { records: 0, conversations: 0, messages: 0, unknown: [], notUnderstood: [], ...countsOf([]) }
  return { path, status: 'unreadable', error, ...stamp, ...nothing }
}

/** Why findings, or their absence, are not the whole answer: the file is unreadable, or not understood. */
export function doubtOf(file: FileReport): { readonly name: string; readonly text: string } | undefined {
  if (file.status === 'unreadable') return { name: 'unreadable', text: file.error ?? 'unknown reason' }
  const { notUnderstood, checked } = file
  return checked && { name: 'not understood', text: unreadText({ notUnderstood, checked }) }
}

/** A file that was read, and in which no format was recognized. */
export function notUnderstood(path: string, reason: string, stamp: Stamp): FileReport {
  const checked = { messages: 0, records: 0, of: 0 }
  return {
    ...unreadable(path, '', stamp),
    error: undefined,
    status: 'not-understood',
    notUnderstood: [reason],
    checked,
  }
}

type Counted = Pick<ReportFinding, 'severity' | 'repair'>

/** The findings that are kept, and the counts of all. */
export function countsOf<T extends Counted>(found: readonly T[]) {
  const count = (test: (one: T) => boolean) => found.reduce((all, one) => all + (test(one) ? 1 : 0), 0)
  return {
    findings: found.slice(0, MOST_FINDINGS),
    errors: count((one) => one.severity === 'error'),
    warnings: count((one) => one.severity === 'warning'),
    repairable: { safe: count((one) => one.repair === 'safe'), lossy: count((one) => one.repair === 'lossy') },
  }
}
