/**
 * Checks a large JSONL file of independent conversations line by line, in chunks: memory does not grow with the file.
 * A range of bytes can be checked alone, so that several threads share one file.
 */

import { closeSync, fstatSync, openSync } from 'node:fs'
import { orUndefined } from '../../core/or-undefined.ts'
import { isDocument } from '../../session-files/elements.ts'
import { checkSessionFile, formatById, recognize } from '../../session-files/index.ts'
import { headOf } from '../../session-files/node/regular-file.ts'
import { conversationFindings } from '../../session-files/provider-findings.ts'
import type { Conversation, DatasetLines, FileFinding, SessionFormat } from '../../session-files/types.ts'
import {
  type CheckOptions,
  type FileReport,
  isWanted,
  MOST_FINDINGS,
  plainFinding,
  type ReportFinding,
  type Stamp,
} from '../doctor/index.ts'
import { bytesText } from '../terminal/index.ts'
import { eachLine, LONGEST_LINE } from './each-line.ts'

/** Smaller files are read whole. */
export const LARGE = 32 * 1024 * 1024
const HEAD = 1024 * 1024
const HEAD_LINES = 50
const TOO_LARGE = `This line is longer than ${bytesText(LONGEST_LINE)} and was not read: every provider rejects a request of this size.`

/** The format of a large file with one conversation on each line, as far as its head shows. */
export function dataSetFormat(path: string, size: number, wanted?: string): SessionFormat | undefined {
  if (size < LARGE || !/\.(jsonl|ndjson|json)$/i.test(path)) return undefined
  const head = firstLines(headOf(path, HEAD))
  // The elements of a JSON list are no lines.
  if (isDocument(head)) return undefined
  const input = { bytes: head, path }
  const format = wanted === undefined ? recognize(input)[0]?.format : formatById(wanted)
  if (!format?.dataset || head.length === 0) return undefined
  const { records, conversations } = format.read(input)
  return conversations.length >= records.length && conversations[0]?.id !== 'main' ? format : undefined
}

/** The first whole lines. */
function firstLines(bytes: Buffer): Buffer {
  let end = 0
  for (let lines = 0; lines < HEAD_LINES; lines++) {
    const newline = bytes.indexOf(10, end)
    if (newline < 0) break
    end = newline + 1
  }
  return bytes.subarray(0, end)
}

/** Lines that begin in this range. Numbers of lines count from the range's own first line. */
export function checkDataSet(
  path: string,
  format: SessionFormat,
  [start, end]: readonly [number, number],
  options: CheckOptions,
): FileReport {
  const tally = new Tally(format, options)
  const file = openSync(path, 'r')
  try {
    eachLine(file, start, end, (bytes, from, to) => tally.line(bytes, from, to))
    const { size, mtimeMs } = fstatSync(file)
    return tally.report(path, { size, mtimeMs })
  } finally {
    closeSync(file)
  }
}

/** Counts what is in the lines, one after the other. */
class Tally {
  private readonly format: SessionFormat
  private readonly lines: DatasetLines
  private readonly options: CheckOptions
  private readonly findings: ReportFinding[] = []
  private readonly counts = { records: 0, conversations: 0, messages: 0, errors: 0, warnings: 0 }
  private safe = 0

  constructor(format: SessionFormat, options: CheckOptions) {
    this.format = format
    this.lines = format.dataset!
    this.options = options
  }

  line(bytes: Buffer, from: number, to: number): void {
    const index = this.counts.records++
    if (from > to) {
      this.damage('record-too-large', TOO_LARGE)
      return
    }
    const value = parsed(bytes, from, to)
    const found = this.lines.read(value, index)
    const shown = this.options.withText ? value : undefined
    for (const one of found) this.count(one)
    for (const one of this.providerFindings(found, bytes.subarray(from, to))) this.add(plainFinding(one, shown))
    // The outcome of a batch request is known, and has no conversation.
    if (found.length > 0 || this.format.typeOf?.(value).known)
      for (const { rule, severity, message } of this.lines.check(value, index))
        this.add(plainFinding({ kind: 'load', rule, severity, message }, shown))
    else if (value !== undefined) this.damage('not-a-record', 'This line has no conversation in it.', 'safe')
    else if (bytes.toString('utf8', from, to).trim() !== '') this.damage('not-json', 'This line is not JSON.', 'safe')
  }

  private count({ history }: Conversation): void {
    this.counts.conversations++
    this.counts.messages += history.length
  }

  /** The plan for a line with findings decides which of them are repairable. */
  private providerFindings(conversations: readonly Conversation[], line: Buffer): readonly FileFinding[] {
    const { format, options } = this
    const found = conversations.flatMap((one) =>
      conversationFindings(one, format.title, options, { bytes: line.length }),
    )
    if (!found.some(({ repair }) => repair)) return found
    const { provider, model } = options
    // The buffer is used again for the next lines.
    const checked = checkSessionFile(format.read({ bytes: Buffer.from(line) }), { provider, model })
    return checked.filter(({ kind }) => kind === 'provider')
  }

  private damage(rule: string, message: string, repair?: 'safe'): void {
    this.add({ kind: 'salvage', rule, severity: 'error', message, redacted: message, repair })
  }

  private add(finding: ReportFinding): void {
    if (!isWanted(finding.rule, finding.kind, this.options.only)) return
    const line = this.counts.records
    this.counts[finding.severity === 'error' ? 'errors' : 'warnings']++
    if (finding.repair === 'safe') this.safe++
    if (this.findings.length < MOST_FINDINGS) this.findings.push({ ...finding, line, conversation: `line ${line}` })
  }

  report(path: string, stamp: Stamp): FileReport {
    const { findings, counts, safe, format } = this
    return {
      path,
      status: counts.errors + counts.warnings > 0 ? 'findings' : 'valid',
      format: format.id,
      title: format.title,
      ...stamp,
      ...counts,
      unknown: [],
      notUnderstood: [],
      findings,
      repairable: { safe, lossy: 0 },
    }
  }
}

/** The value of a line; undefined if it is not JSON. The spelling of numbers is lost: nothing is written here. */
function parsed(bytes: Buffer, from: number, to: number): unknown {
  return orUndefined(() => JSON.parse(bytes.toString('utf8', from, to)))
}
