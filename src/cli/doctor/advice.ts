/** One sentence of advice for a session: what is wrong, what the agent will do, what a repair changes. */

import type { RuleId } from '../../rules/index.ts'
import { grouped, plural } from '../terminal/index.ts'
import { doubtOf, type FileReport, totalsOf } from './report.ts'

export function adviceFor(file: FileReport, liveBecause?: string): string {
  if (file.status === 'unreadable') return `The file cannot be read: ${file.error ?? 'unknown reason'}`
  const doubt = doubtOf(file)
  const unread = doubt ? [`Not understood: ${doubt.text}`] : []
  const sentences = [...loadSentence(file), ...salvageSentence(file), ...providerSentence(file), ...unread]
  if (sentences.length === 0) return validSentence(file)
  if (liveBecause !== undefined)
    sentences.push(`The session is in use (${liveBecause}): close the agent before a repair.`)
  return sentences.join(' ')
}

const OPEN_CALL: RuleId = 'tool-result-missing'

function validSentence({ warnings, findings, title = 'the agent' }: FileReport): string {
  const open = findings.filter(({ rule }) => rule === OPEN_CALL).length
  if (open > 0 && open === findings.length)
    return `Valid: ${title} itself closes ${plural(open, 'open call')} when it resumes.`
  return warnings > 0 ? `Valid, with ${plural(warnings, 'warning')}.` : 'Valid.'
}

function loadSentence({ reach, findings, title = 'The agent' }: FileReport): string[] {
  const faults = findings.filter((one) => one.kind === 'load' && one.severity === 'error')
  if (faults.length === 0) return []
  if (reach && reach.included < reach.total)
    return [
      `${title} opens it, but the model will see ${grouped(reach.included)} of ${grouped(reach.total)} records (${faults[0]!.rule}).`,
    ]
  return [`${title} will not load all of it (${faults[0]!.rule}).`]
}

function salvageSentence({ findings }: FileReport): string[] {
  const damage = findings.filter((one) => one.kind === 'salvage' && one.severity === 'error')
  if (damage.length === 0) return []
  const { line, rule } = damage[0]!
  return [`The file is damaged${line === undefined ? '' : ` at line ${line}`} (${rule}).`]
}

function providerSentence({ findings, provider = 'The provider' }: FileReport): string[] {
  const errors = findings.filter((one) => one.kind === 'provider' && one.severity === 'error')
  if (errors.length === 0) return []
  const [first] = errors
  const place = first!.line === undefined ? '' : `, line ${first!.line}`
  const more = errors.length > 1 ? ` and ${plural(errors.length - 1, 'other fault')}` : ''
  return [`${provider} rejects the next request: ${first!.rule}${place}${more}.`]
}

export type Outlook = 'valid' | 'repairable' | 'lossy' | 'person' | 'not-understood'

/** What can be done about a file. */
export function outlookOf(file: FileReport): Outlook {
  if (file.status === 'unreadable') return 'person'
  if (file.errors === 0) return file.status === 'not-understood' ? file.status : 'valid'
  const errors = file.findings.filter((one) => one.severity === 'error')
  if (errors.some((one) => one.repair === undefined)) return 'person'
  return errors.some((one) => one.repair === 'lossy') ? 'lossy' : 'repairable'
}

/** `12 sessions: 9 valid, 2 can be repaired, 1 needs you.` */
export function closingLine(files: readonly FileReport[]): string {
  const count = (...wanted: Outlook[]) => files.filter((one) => wanted.includes(outlookOf(one))).length
  const parts = [`${count('valid')} valid`]
  if (count('repairable') > 0) parts.push(`${count('repairable')} can be repaired`)
  if (count('lossy') > 0) parts.push(`${count('lossy')} can be repaired with --lossy`)
  if (count('person') > 0) parts.push(`${count('person')} ${count('person') === 1 ? 'needs' : 'need'} you`)
  if (count('not-understood') > 0) parts.push(`${count('not-understood')} not understood`)
  return `${plural(totalsOf(files).files, 'session')}: ${parts.join(', ')}.`
}
