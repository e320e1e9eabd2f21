/**
 * Checks a large JSONL file of independent conversations line by line, in chunks: memory does not grow with the file.
 * A range of bytes can be checked alone, so that several threads share one file.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { pointer } from '../core/index.ts'
import { type LintOptions, lint } from '../index.ts'
import { formatById, recognize } from '../session-files/index.ts'
import type { Conversation, DatasetLines, SessionFormat } from '../session-files/types.ts'
import { named } from '../target.ts'
import type { CheckOptions } from './check-file.ts'
import { eachLine, LONGEST_LINE } from './each-line.ts'
import { redactMessage } from './redact.ts'
import { type FileReport, MOST_FINDINGS, type ReportFinding } from './report.ts'
import { bytesText } from './terminal.ts'

/** Smaller files are read whole. */
export const LARGE = 32 * 1024 * 1024
const HEAD = 1024 * 1024
const HEAD_LINES = 50

/** The format of a large file with one conversation on each line, as far as its head shows. */
export function dataSetFormat(path: string, size: number, wanted?: string): SessionFormat | undefined {
  if (size < LARGE || !/\.(jsonl|ndjson|json)$/i.test(path)) return undefined
  const head = headOf(path)
  const input = { bytes: head, path }
  const format = wanted === undefined ? recognize(input)[0]?.format : formatById(wanted)
  if (!format?.dataset || head.length === 0) return undefined
  const { records, conversations } = format.read(input)
  return conversations.length >= records.length && conversations[0]?.id !== 'main' ? format : undefined
}

/** The first whole lines. */
function headOf(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(HEAD)
    const bytes = head.subarray(0, readSync(file, head, 0, HEAD, 0))
    let end = 0
    for (let lines = 0; lines < HEAD_LINES; lines++) {
      const newline = bytes.indexOf(10, end)
      if (newline < 0) break
      end = newline + 1
    }
    return bytes.subarray(0, end)
  } finally {
    closeSync(file)
  }
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
    return { ...tally.report(path), size, mtimeMs }
  } finally {
    closeSync(file)
  }
}

class Tally {
  private readonly format: SessionFormat
  private readonly lines: DatasetLines
  private readonly options: CheckOptions
  private readonly findings: ReportFinding[] = []
  private count = 0
  private conversations = 0
  private messages = 0
  private errors = 0
  private warnings = 0
  private safe = 0

  constructor(format: SessionFormat, options: CheckOptions) {
    this.format = format
    this.lines = format.dataset!
    this.options = options
  }

  line(bytes: Buffer, from: number, to: number): void {
    const index = this.count++
    if (from > to) {
      this.broken(
        'record-too-large',
        `This line is longer than ${bytesText(LONGEST_LINE)} and was not read: every provider rejects a request of this size.`,
      )
      return
    }
    const line = bytes.subarray(from, to)
    const found = this.lines.read(line, index)
    for (const one of found) this.conversation(one)
    if (found.length === 0) this.noConversation(line)
    else
      for (const { rule, severity, message } of this.lines.check(line, index)) {
        this.add({ kind: 'load', rule, severity, message, redacted: redactMessage(message) })
      }
  }

  private conversation({ history, dialect, provider, model }: Conversation): void {
    this.conversations++
    this.messages += history.length
    const modelName = this.options.model ?? model
    const target = named<LintOptions>({
      provider: this.options.provider ?? provider,
      dialect,
      ...(modelName === undefined ? {} : { model: modelName }),
    })
    for (const finding of lint(history, target)) {
      const { rule, severity, message, round, at, fix } = finding
      const redacted = redactMessage(message, finding)
      this.add({
        kind: 'provider',
        rule,
        severity,
        message,
        round,
        at: pointer(at),
        redacted,
        repair: fix ? 'safe' : undefined,
      })
    }
  }

  private noConversation(line: Buffer): void {
    const text = line.toString('utf8', 0, Math.min(line.length, 64)).trim()
    if (text === '') return
    if (isJson(line)) this.broken('not-a-record', 'This line has no conversation in it.', 'safe')
    else this.broken('not-json', 'This line is not JSON.', 'safe')
  }

  private broken(rule: string, message: string, repair?: 'safe'): void {
    this.add({ kind: 'salvage', rule, severity: 'error', message, redacted: message, repair })
  }

  private add(finding: ReportFinding): void {
    const { only } = this.options
    if (only && only.length > 0 && !only.includes(finding.rule) && !only.includes(finding.kind)) return
    if (finding.severity === 'error') this.errors++
    else this.warnings++
    if (finding.repair === 'safe') this.safe++
    if (this.findings.length < MOST_FINDINGS)
      this.findings.push({ ...finding, line: this.count, conversation: `line ${this.count}` })
  }

  report(path: string): FileReport {
    const { findings, errors, warnings, conversations, messages, safe } = this
    return {
      path,
      status: errors + warnings > 0 ? 'findings' : 'valid',
      format: this.format.id,
      title: this.format.title,
      size: 0,
      mtimeMs: 0,
      records: this.count,
      conversations,
      messages,
      unknown: [],
      findings,
      errors,
      warnings,
      repairable: { safe, lossy: 0 },
    }
  }
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString('utf8'))
    return true
  } catch {
    return false
  }
}
