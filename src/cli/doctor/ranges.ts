/** A large data set in ranges of bytes, and the reports of the ranges as one report. */
import { type FileReport, MOST_FINDINGS, type ReportFinding } from './report.ts'

/** Small enough that no thread waits long for the slowest, that progress is seen, and that Ctrl-C takes effect soon. */
const RANGE = 16 * 1024 * 1024

export function rangesOf(size: number): readonly (readonly [number, number])[] {
  return Array.from({ length: Math.ceil(size / RANGE) }, (_, i) => [i * RANGE, Math.min(size, (i + 1) * RANGE)])
}

/** Several ranges of one file, in order, as one report. If one is unreadable, the file is. */
export function joinReports(parts: readonly FileReport[]): FileReport {
  const failed = parts.find(({ status }) => status === 'unreadable')
  if (failed) return failed
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
