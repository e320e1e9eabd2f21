/**
 * Checks one file. Never throws because of its content: that becomes a finding, or the reason why it is unreadable.
 */
import { statSync } from 'node:fs'
import { formats } from '../../session-files/formats.ts'
import { checkSessionFile, formatById, openSessionFile, recognize } from '../../session-files/index.ts'
import { readSessionFile } from '../../session-files/node/read.ts'
import type { FileFinding, FileInput, SessionFile } from '../../session-files/types.ts'
import { checkDataSet, dataSetFormat } from '../histories/index.ts'
import { isWanted, plainFinding, recordOf } from './plain-finding.ts'
import { countsOf, type FileReport, type Stamp, unreadable } from './report.ts'

export interface CheckOptions {
  readonly provider?: string | undefined
  readonly model?: string | undefined
  readonly format?: string | undefined
  readonly only?: readonly string[] | undefined
  readonly withText?: boolean | undefined
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
  if (input.bytes.length === 0 && input.tables === undefined)
    return { ...unreadable(path, 'The file is empty.', stamp), status: 'not-a-session' }
  const format = options.format ?? recognize(input)[0]?.format.id
  if (format === undefined) return { ...unreadable(path, notRecognized(), stamp), status: 'not-a-session' }
  const file = openSessionFile(input, { format })
  const { provider, model } = options
  const found = checkSessionFile(file, { provider, model }).filter((one) => isWanted(one.rule, one.kind, options.only))
  return reportOf(path, file, found, options, stamp)
}

function notRecognized(): string {
  return `Neither a session file nor a history in a known format. If it is one, name its format with --as: ${formats.map(({ id }) => id).join(', ')}.`
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
  return {
    path,
    status: found.length === 0 ? 'valid' : 'findings',
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
