/**
 * The verdict on a file, the same for the command line, its reports and the viewer. A file is valid only if every part
 * of it that may belong to the history was read; otherwise it is not understood, which is no fault of the file.
 */

import { isObject } from '../core/index.ts'
import { checkFile, checkObjects, checkVerdict } from './arguments.ts'
import { carriesText } from './content-text.ts'
import { groupBy } from './shared/group-by.ts'
import type { FileFinding, FileRecord, SessionFile } from './types.ts'
import { unreadParts } from './unread-parts.ts'

/** `findings`: there are errors, or warnings and nothing that was not read. */
export type Verdict = 'valid' | 'findings' | 'not-understood'

/** Whether a session file can be resumed, in one word and one sentence. */
export interface FileVerdict {
  readonly verdict: Verdict
  /** What was not read, and may be a part of the history. */
  readonly notUnderstood: readonly string[]
  readonly checked: Checked
}

/** The part of the history that was checked. */
export interface Checked {
  readonly messages: number
  /** Records that were read, of all that the file has. */
  readonly records: number
  readonly of: number
}

/** The verdict about a session file with these findings. */
export function verdictOf(file: SessionFile, findings: readonly Pick<FileFinding, 'severity'>[]): FileVerdict {
  checkFile(file)
  checkObjects('Findings', findings)
  const unread = file.records.filter(isUnread)
  const messages = file.conversations.reduce((sum, { history }) => sum + history.length, 0)
  const notUnderstood = [
    ...unreadTypes(unread, file),
    ...unreadTables(file),
    ...nothingIn(file, messages),
    ...unreadParts(file),
  ]
  if (notUnderstood.length > 0) notUnderstood.push(...file.unknown.filter((one) => /version/.test(one)))
  const hasErrors = findings.some(({ severity }) => severity === 'error')
  const verdict = notUnderstood.length > 0 && !hasErrors ? 'not-understood' : findings.length > 0 ? 'findings' : 'valid'
  const { length } = file.records
  return { verdict, notUnderstood, checked: { messages, records: length - unread.length, of: length } }
}

/** `unknown table "turns" with content. Checked: 4 messages in 6 records.` */
export function unreadText(verdict: Pick<FileVerdict, 'notUnderstood' | 'checked'>): string {
  checkVerdict(verdict)
  const { notUnderstood, checked } = verdict
  return `${notUnderstood.join('; ').replace(/\.?$/, '.')} ${checkedText(checked)}`
}

function checkedText({ messages, records, of }: Checked): string {
  if (of === 0) return 'Nothing was checked.'
  const isWhole = records === of ? `${of}` : `${records} of ${of}`
  return `Checked: ${messages} ${messages === 1 ? 'message' : 'messages'} in ${isWhole} ${of === 1 ? 'record' : 'records'}.`
}

function isUnread({ known, value }: FileRecord): boolean {
  return !known && (isLinked(value) || carriesText(value))
}

/** A record that names a parent is a part of the conversation, whatever it holds. */
function isLinked(value: unknown): boolean {
  return isObject(value) && Object.keys(value).some((key) => /^parent/.test(key) && typeof value[key] === 'string')
}

function unreadTypes(unread: readonly FileRecord[], { version }: SessionFile): string[] {
  const byType = groupBy(unread, ({ type }) => type)
  return [...byType].slice(0, 10).map(([type, records]) => {
    const count = records.length === 1 ? '1 record' : `${records.length} records`
    const by = version === undefined ? '' : ` of version ${version}`
    return `unknown record type "${type}"${by} that may belong to the history (${count}, first at line ${records[0]!.line})`
  })
}

function unreadTables({ input }: SessionFile): string[] {
  return (input.otherTables ?? []).map((name) => `unknown table "${name}" with content`)
}

/** A session that has just begun has records, and no message yet. A history or a request body has messages. */
function nothingIn({ records, format }: SessionFile, messages: number): string[] {
  const isOutcome = records.some(({ type }) => type === 'reply' || type === 'rejected')
  const hasHistory = records.length > 0 && (format !== 'plain' || messages > 0 || isOutcome)
  return hasHistory ? [] : ['no history was found']
}
