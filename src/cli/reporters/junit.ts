/** JUnit XML: one test case for each file, a failure for each error. */
import { doubtOf, type FileReport, totalsOf } from '../doctor/index.ts'
import type { Reporter, ReportOptions } from './index.ts'
import { messageOf, pathOf } from './machine.ts'

export const junit: Reporter = ({ files }, options) => {
  const { withErrors, unreadable, notUnderstood } = totalsOf(files)
  const cases = files.map((file) => caseOf(file, options)).join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="suture">
<testsuite name="suture" tests="${files.length}" failures="${withErrors}" errors="${unreadable + notUnderstood}">
${cases}
</testsuite>
</testsuites>`
}

function caseOf(file: FileReport, options: ReportOptions): string {
  const name = escapeXml(pathOf(file.path, options.cwd))
  const open = `<testcase classname="${escapeXml(file.format ?? 'file')}" name="${name}"`
  const doubt = doubtOf(file)
  if (doubt && file.errors === 0)
    return `${open}><error type="${doubt.name}" message="${escapeXml(doubt.text)}"/></testcase>`
  const failures = file.findings
    .filter((one) => one.severity === 'error')
    .map((one) => {
      const place = one.line === undefined ? '' : `line ${one.line}: `
      return `<failure type="${escapeXml(one.rule)}" message="${escapeXml(place + messageOf(one, options))}"/>`
    })
  return failures.length === 0 ? `${open}/>` : `${open}>\n${failures.join('\n')}\n</testcase>`
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;')
}
