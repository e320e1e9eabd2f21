/** A finding as plain data for reports, and which findings `--only` asks for. */
import { pointer } from '../../core/index.ts'
import type { FileFinding, SessionFile } from '../../session-files/types.ts'
import { compact } from '../json-output.ts'
import { redactMessage } from './redact.ts'
import type { ReportFinding } from './report.ts'

/** `--only chain` means all findings about what the agent will not load. */
export function isWanted(rule: string, kind: string, only: readonly string[] | undefined): boolean {
  if (only === undefined || only.length === 0) return true
  return only.includes(rule) || only.includes(kind) || (kind === 'load' && only.includes('chain'))
}

const MOST_TEXT = 2000

/** `value`: the record of the finding, for a report with text. */
export function plainFinding(one: FileFinding, value?: unknown): ReportFinding {
  const { kind, rule, severity, conversation, line, message, repair, finding } = one
  return {
    kind,
    rule,
    severity,
    conversation,
    line,
    ...(finding ? { round: finding.round, at: pointer(finding.at) } : {}),
    message,
    redacted: redactMessage(message, finding),
    ...(value === undefined ? {} : { text: compact(value).slice(0, MOST_TEXT) }),
    repair,
  }
}

/** The record of a finding, for `--with-text`. */
export function recordOf({ record }: FileFinding, { records }: SessionFile): unknown {
  return record === undefined ? undefined : records[record]?.value
}
