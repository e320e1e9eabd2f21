/** SARIF 2.1.0, for code scanning. Uploaders stop at a non-zero exit code: combine it with `--exit-zero`. */
import { installedPage } from '../../guard/rejections/docs-pages.ts'
import { doubtOf, type FileReport, type ReportFinding, ruleTexts } from '../doctor/index.ts'
import { indented } from '../json-output.ts'
import type { Reporter, ReportOptions } from './index.ts'
import { messageOf, pathOf } from './machine.ts'

export const sarif: Reporter = ({ version, files }, options) => {
  const unread = files.filter((file) => file.notUnderstood.length > 0)
  const named = files.flatMap((file) => file.findings.map((one) => one.rule))
  const ids = [...new Set(unread.length > 0 ? [...named, NOT_UNDERSTOOD] : named)].sort()
  const results = [
    ...files.flatMap((file) => file.findings.map((one) => resultOf(file, one, ids, options))),
    ...unread.map((file) => unreadResult(file, ids, options)),
  ]
  const notifications = files
    .filter((file) => file.format === undefined)
    .map((file) => ({
      level: 'error',
      message: { text: doubtOf(file)?.text ?? '' },
      locations: [locationOf(file, undefined, options)],
    }))
  const invocation = {
    executionSuccessful: notifications.length === 0,
    ...(notifications.length > 0 ? { toolExecutionNotifications: notifications } : {}),
  }
  const tool = { driver: { name: 'suture', semanticVersion: version, rules: ids.map(ruleOf) } }
  const run = { tool, columnKind: 'utf16CodeUnits', results, invocations: [invocation] }
  return indented({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] })
}

const NOT_UNDERSTOOD = 'not-understood'

/** SARIF's kind for what could not be decided, which has no level. */
function unreadResult(file: FileReport, ids: readonly string[], options: ReportOptions) {
  return {
    ruleId: NOT_UNDERSTOOD,
    ruleIndex: ids.indexOf(NOT_UNDERSTOOD),
    kind: 'open',
    level: 'none',
    message: { text: doubtOf(file)!.text },
    locations: [locationOf(file, undefined, options)],
    partialFingerprints: { 'suture/v1': NOT_UNDERSTOOD },
  }
}

/** The help names the page: a `helpUri` must be an address, and the documentation is in the package. */
function ruleOf(id: string) {
  const rule = ruleTexts().find((one) => one.rule === id)
  const summary = rule?.summary ?? id.replaceAll('-', ' ')
  const page = installedPage(rule?.page ?? 'session-files.md')
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
