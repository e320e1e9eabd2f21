/** Shared by all machine-readable reports: values without content of the conversation, and relative paths. */
import { relative, sep } from 'node:path'
import { type FileReport, type ReportFinding, shortId } from '../doctor/index.ts'
import type { ReportOptions } from './index.ts'

/** The version of `json` and `jsonl` reports. Raise it if a field is removed, renamed or changes its meaning. */
export const REPORT_SCHEMA = 1

/** Below the current folder relative with `/`, else absolute. */
export function pathOf(path: string, cwd: string): string {
  const below = relative(cwd, path)
  const shown = below === '' || below.startsWith('..') ? path : below
  return shown.split(sep).join('/')
}

export function messageOf(finding: ReportFinding, { withText }: ReportOptions): string {
  return withText ? finding.message : finding.redacted
}

export function machineFinding(finding: ReportFinding, options: ReportOptions) {
  const { kind, rule, severity, conversation, line, round, at, repair, text } = finding
  return {
    rule,
    kind,
    severity,
    line,
    conversation: conversation === undefined ? undefined : shortId(conversation),
    round,
    at,
    message: messageOf(finding, options),
    repair: repair ?? null,
    ...(options.withText && text !== undefined ? { text } : {}),
  }
}

/** Only where something was not read. */
export function unreadFields({ notUnderstood, checked }: Pick<FileReport, 'notUnderstood' | 'checked'>) {
  return notUnderstood.length > 0 ? { notUnderstood, checked } : {}
}

export function machineFile(file: FileReport, options: ReportOptions) {
  const { status, error, format, version, sessionId, size, records, conversations, messages, reach, errors, warnings } =
    file
  return {
    path: pathOf(file.path, options.cwd),
    status,
    error,
    ...unreadFields(file),
    format,
    version,
    session: sessionId === undefined ? undefined : shortId(sessionId),
    size,
    records,
    conversations,
    messages,
    reach,
    unknown: file.unknown,
    errors,
    warnings,
    repairable: file.repairable,
    findings: file.findings.map((one) => machineFinding(one, options)),
    ...(file.findings.length < errors + warnings ? { heldBack: errors + warnings - file.findings.length } : {}),
  }
}
