/**
 * Reports of the ranges of one data set, as one report.
 */
import { type FileReport, MOST_FINDINGS, type ReportFinding } from './report.ts'

/** Several ranges of one file, in order, as one report. */
export function joinReports(parts: readonly FileReport[]): FileReport {
  let lines = 0
  const findings: ReportFinding[] = []
  for (const part of parts) {
    for (const one of part.findings) {
      if (findings.length >= MOST_FINDINGS) break
      const line = (one.line ?? 0) + lines
      findings.push({ ...one, line, conversation: `line ${line}` })
    }
    lines += part.records
  }
  const sum = (value: (part: FileReport) => number) => parts.reduce((all, part) => all + value(part), 0)
  const errors = sum((part) => part.errors)
  const warnings = sum((part) => part.warnings)
  return {
    ...parts[0]!,
    status: errors + warnings > 0 ? 'findings' : 'valid',
    records: lines,
    conversations: sum((part) => part.conversations),
    messages: sum((part) => part.messages),
    findings,
    errors,
    warnings,
    repairable: { safe: sum((part) => part.repairable.safe), lossy: sum((part) => part.repairable.lossy) },
  }
}
