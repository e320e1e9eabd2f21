/** Checks one file. Never throws because of its content: that becomes a finding, or the reason why it is unreadable. */
import { statSync } from 'node:fs'
import { hasListOfTexts } from '../../session-files/content-text.ts'
import { firstValues, isDocument } from '../../session-files/elements.ts'
import { checkSessionFile, formatById, verdictOf } from '../../session-files/index.ts'
import { homesOf, type SearchRoot } from '../../session-files/node/find.ts'
import { readSessionFile } from '../../session-files/node/read.ts'
import { formatFor } from '../../session-files/open.ts'
import type { FileFinding, FileInput, SessionFile } from '../../session-files/types.ts'
import { unsupportedIn } from '../../session-files/unsupported.ts'
import { checkDataSet, dataSetFormat } from '../histories/index.ts'
import { isWanted, plainFinding, recordOf } from './plain-finding.ts'
import { countsOf, type FileReport, notUnderstood, type Stamp, unreadable } from './report.ts'

export interface CheckOptions {
  readonly provider?: string | undefined
  readonly model?: string | undefined
  readonly format?: string | undefined
  readonly only?: readonly string[] | undefined
  readonly withText?: boolean | undefined
  /** Where agents keep their sessions. */
  readonly roots?: readonly SearchRoot[] | undefined
}

export async function checkFile(path: string, options: CheckOptions): Promise<FileReport> {
  let stamp = { size: 0, mtimeMs: 0 }
  try {
    const { size, mtimeMs } = statSync(path)
    stamp = { size, mtimeMs }
    const format = dataSetFormat(path, size, options.format)
    if (format) return checkDataSet(path, format, [0, size], options)
    const { input } = await readSessionFile(path)
    return checkInput(path, input, options, stamp)
  } catch (error) {
    return unreadable(path, (error as Error).message.split('\n')[0]!, stamp)
  }
}

/** The same for bytes of standard input. */
export function checkInput(path: string, input: FileInput, options: CheckOptions, stamp: Stamp): FileReport {
  const { provider, model, format: named, roots = [] } = options
  const homes = homesOf(path, roots)
  const format = formatFor(input, { format: named, homes })
  if (typeof format === 'string') {
    const isOther = homes.length === 0 && isDocumentWithoutHistory(input)
    const report = notUnderstood(path, format, stamp)
    return isOther ? { ...report, status: 'no-history' } : report
  }
  const file = format.read(input)
  const found = checkSessionFile(file, { provider, model }).filter((one) => isWanted(one.rule, one.kind, options.only))
  return reportOf(path, file, found, options, stamp)
}

/** A whole JSON document in which nothing may be a history: a manifest, settings. */
function isDocumentWithoutHistory(input: FileInput): boolean {
  if (input.tables !== undefined || !isDocument(input.bytes)) return false
  const values = firstValues(input, [])
  return values.length > 0 && unsupportedIn(input, values) === undefined && !hasListOfTexts(values[0])
}

function reportOf(
  path: string,
  file: SessionFile,
  found: readonly FileFinding[],
  options: CheckOptions,
  stamp: Stamp,
): FileReport {
  const [main] = file.conversations
  const { findings, ...counts } = countsOf(found)
  const { verdict, checked, notUnderstood: reasons } = verdictOf(file, found)
  return {
    path,
    status: verdict,
    notUnderstood: reasons,
    ...(reasons.length > 0 && { checked }),
    format: file.format,
    title: formatById(file.format).title,
    version: file.version,
    sessionId: file.sessionId,
    cwd: file.cwd,
    ...stamp,
    records: file.records.length,
    conversations: file.conversations.length,
    messages: file.conversations.reduce((all, one) => all + one.history.length, 0),
    reach:
      main && file.conversations.length < 2 + main.reach.total
        ? { included: main.reach.included, total: main.reach.total }
        : undefined,
    unknown: file.unknown,
    provider: options.provider ?? main?.provider,
    model: options.model ?? main?.model,
    ...counts,
    findings: findings.map((one) => plainFinding(one, options.withText ? recordOf(one, file) : undefined)),
  }
}
