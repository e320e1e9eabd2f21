/** GitLab's code quality report: a JSON list with stable fingerprints. */

import { createHash } from 'node:crypto'
import { doubtOf, type FileReport, type ReportFinding } from '../doctor/index.ts'
import { indented } from '../json-output.ts'
import type { Reporter, ReportOptions } from './index.ts'
import { messageOf, pathOf } from './machine.ts'

export const gitlab: Reporter = ({ files }, options) =>
  indented(
    files.flatMap((file) => {
      const doubt = doubtOf(file)
      const severity = file.status === 'unreadable' ? 'blocker' : 'minor'
      const doubts = doubt ? [issue(file, doubt.name.replace(' ', '-'), doubt.text, severity, 1, options)] : []
      return [...doubts, ...file.findings.map((one) => issueOf(file, one, options))]
    }),
  )

function issueOf(file: FileReport, finding: ReportFinding, options: ReportOptions) {
  const severity = finding.severity === 'error' ? 'major' : 'minor'
  const place = `${finding.conversation ?? ''} ${finding.at ?? ''}`
  return issue(file, finding.rule, messageOf(finding, options), severity, finding.line ?? 1, options, place)
}

function issue(
  file: FileReport,
  rule: string,
  description: string,
  severity: string,
  line: number,
  { cwd }: ReportOptions,
  place = '',
) {
  const path = pathOf(file.path, cwd)
  const fingerprint = createHash('sha256').update([path, rule, line, place].join('\n')).digest('hex')
  return { check_name: rule, description, severity, fingerprint, location: { path, lines: { begin: line } } }
}
