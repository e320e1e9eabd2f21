/**
 * SARIF 2.1.0, for code scanning. Uploaders stop at a non-zero exit code: combine it with `--exit-zero`.
 */
import { installedPage } from '../../guard/rejections/docs-pages.ts'
import { patterns } from '../../guard/rejections/rule-patterns.ts'
import { fileRules } from '../../session-files/file-rules.ts'
import type { FileReport, ReportFinding } from '../doctor/index.ts'
import type { Reporter, ReportOptions } from './index.ts'
import { messageOf, pathOf } from './machine.ts'

export const sarif: Reporter = ({ version, files }, options) => {
  const ids = [...new Set(files.flatMap((file) => file.findings.map((one) => one.rule)))].sort()
  const results = files.flatMap((file) => file.findings.map((one) => resultOf(file, one, ids, options)))
  const notifications = files
    .filter((file) => file.status === 'unreadable')
    .map((file) => ({
      level: 'error',
      message: { text: file.error ?? 'unreadable' },
      locations: [locationOf(file, undefined, options)],
    }))
  return JSON.stringify(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'suture', semanticVersion: version, rules: ids.map(ruleOf) } },
          columnKind: 'utf16CodeUnits',
          results,
          invocations: [
            {
              executionSuccessful: notifications.length === 0,
              ...(notifications.length > 0 ? { toolExecutionNotifications: notifications } : {}),
            },
          ],
        },
      ],
    },
    null,
    2,
  )
}

/** The page is named in the help: a `helpUri` must be an address, and the documentation is in the package. */
function ruleOf(id: string) {
  const rule = patterns.find((one) => one.rule === id)
  const ofFile = Object.hasOwn(fileRules, id) ? fileRules[id] : undefined
  const summary = rule?.summary ?? ofFile ?? id.replaceAll('-', ' ')
  const page = installedPage(rule ? `rules/${id}.md` : 'session-files.md')
  const text = [summary, rule?.why, `Documentation: ${page}`].filter(Boolean).join(' ')
  return { id, name: id, shortDescription: { text: summary }, help: { text } }
}

function resultOf(file: FileReport, finding: ReportFinding, ids: readonly string[], options: ReportOptions) {
  const { rule, severity, kind, conversation, at, repair } = finding
  return {
    ruleId: rule,
    ruleIndex: ids.indexOf(rule),
    level: severity,
    message: { text: messageOf(finding, options) },
    locations: [locationOf(file, finding.line, options)],
    partialFingerprints: { 'suture/v1': [rule, conversation ?? '', at ?? '', finding.line ?? ''].join(' ') },
    properties: { kind, repair: repair ?? 'none' },
  }
}

function locationOf(file: FileReport, line: number | undefined, { cwd }: ReportOptions) {
  const uri = pathOf(file.path, cwd).split('/').map(encodeURIComponent).join('/')
  return {
    physicalLocation: {
      artifactLocation: { uri: uri.startsWith('/') ? `file://${uri}` : uri },
      ...(line === undefined ? {} : { region: { startLine: line } }),
    },
  }
}
