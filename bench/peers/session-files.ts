/**
 * The session-file table: Claude Code files, valid and damaged, through Suture and through the rules of other fixers,
 * reimplemented from what they do, since none of them is on npm.
 */
import { openSessionFile, planRepair } from '../../src/session-files/index.ts'
import { bytesOf, textOf } from '../../src/session-files/salvage/bytes.ts'
import { rowsOf } from '../../test/corpus.ts'
import { DAMAGE, damage } from '../../test/session-files/damage.ts'
import { fileFrom, type Line } from '../../test/session-files/samples.ts'
import type { Share } from './content.ts'
import { fixers } from './session-fixers.ts'
import { sources } from './trials.ts'
import { anthropic } from './wires.ts'

export interface FileRow {
  readonly name: string
  readonly rule: string
  /** Valid files that it changed. */
  readonly validChanged: Share
  /** Records of valid files that are byte for byte as before. */
  readonly sameBytes: Share
  /** Of damaged files: read at all; messages that the next request contains, before and after. */
  readonly read: Share
  readonly reachBefore: number
  readonly reachAfter: number
  /** Outputs of tools in the damaged files that are still in the file. */
  readonly resultsKept: Share
  readonly undo: string
}

export interface Fixer {
  readonly name: string
  readonly rule: string
  readonly undo: string
  /** The file afterwards; undefined: it gives up. */
  fix(bytes: Uint8Array): Uint8Array | undefined
}

const FILES = 60
/** Shorter outputs could match at random. */
const SHORTEST = 8

const suture: Fixer = {
  name: 'suture repair',
  rule: 'planRepair(file)',
  undo: 'exact, by stored inverse',
  fix(bytes) {
    const file = openSessionFile({ bytes }, { format: 'claude-code' })
    return planRepair(file, { force: true }).bytes
  },
}

export async function sessionFileTable(progress: (line: string) => void): Promise<unknown> {
  const { from, files } = validFiles()
  const lines = files.map((file) => file.map((line) => bytesOf(JSON.stringify(line))))
  const damaged = lines.flatMap((own, i) => DAMAGE.map((kind) => damage(own, kind, i + 1).bytes))
  const rows = [suture, ...fixers].map((fixer) => rowOf(fixer, lines, damaged))
  for (const { name, validChanged, reachBefore, reachAfter } of rows)
    progress(
      `  ${name.padEnd(32)} valid files changed ${validChanged.kept}/${validChanged.of}, reach ${reachBefore} to ${reachAfter}`,
    )
  return { valid: lines.length, damaged: damaged.length, from, kinds: DAMAGE.length, rows }
}

/** Real files that end with an answer, if there is a corpus; else conversations made by seed, written as such files. */
function validFiles(): { readonly from: 'corpus' | 'seed'; readonly files: readonly (readonly unknown[])[] } {
  const real = rowsOf('claude-code-jsonl')
    .map(({ messages }) => messages)
    .filter((file) => !hasOpenCall(file))
  if (real.length > 0) return { from: 'corpus', files: real }
  const made = sources(400).conversations.slice(0, FILES)
  return {
    from: 'seed',
    files: made.map((history) => fileFrom('claude-code', anthropic.to(history) as Line[], '2.1.100')),
  }
}

/** Some were stopped while a call was open: those have something to repair. */
function hasOpenCall(messages: readonly unknown[]): boolean {
  const text = JSON.stringify(messages)
  const ids = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, id]) => id!)
  const results = new Set(ids(/"tool_use_id":"([^"]+)"/g))
  return ids(/"type":"tool_use","id":"([^"]+)"/g).some((id) => !results.has(id))
}

export function rowOf(
  fixer: Fixer,
  valid: readonly (readonly Uint8Array[])[],
  damaged: readonly Uint8Array[],
): FileRow {
  const { name, rule, undo } = fixer
  const [validChanged, sameBytes, read, resultsKept] = [zero(), zero(), zero(), zero()]
  for (const lines of valid) {
    const before = joined(lines)
    const after = fixed(fixer, before)
    count(validChanged, after === undefined || textOf(after) !== textOf(before))
    const left = new Set(textOf(after ?? before).split('\n'))
    for (const line of lines) count(sameBytes, left.has(textOf(line)))
  }
  let [reachBefore, reachAfter] = [0, 0]
  for (const before of damaged) {
    const after = fixed(fixer, before)
    count(read, after !== undefined)
    reachBefore += reachOf(before)
    reachAfter += reachOf(after ?? before)
    const left = textIn(after ?? before)
    for (const text of resultsIn(before)) count(resultsKept, left.includes(text))
  }
  return { name, rule, undo, validChanged, sameBytes, read, reachBefore, reachAfter, resultsKept }
}

function fixed({ fix }: Fixer, bytes: Uint8Array): Uint8Array | undefined {
  try {
    return fix(bytes)
  } catch {
    return undefined
  }
}

function joined(lines: readonly Uint8Array[]): Uint8Array {
  return bytesOf(lines.map((line) => `${textOf(line)}\n`).join(''))
}

/** Messages that the next request contains, of the records that the client can read line by line. */
function reachOf(bytes: Uint8Array): number {
  const whole = textOf(bytes).split('\n').filter(isJson)
  const file = openSessionFile({ bytes: bytesOf(whole.map((line) => `${line}\n`).join('')) }, { format: 'claude-code' })
  return planRepair(file, { force: true }).reachBefore.included
}

function isJson(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}

/**
 * Outputs of tools in the records of a damaged file that can be read, as `textIn` writes them. What the model reads:
 * Claude Code's copy for its screen (`toolUseResult`) is not counted.
 */
function resultsIn(bytes: Uint8Array): string[] {
  return recordsIn(bytes)
    .flatMap(blocksOf)
    .filter(({ type }) => type === 'tool_result')
    .flatMap(({ content }) =>
      typeof content === 'string' ? [content] : Array.isArray(content) ? content.map(wordsOf) : [],
    )
    .filter((text) => text.length >= SHORTEST)
    .map((text) => JSON.stringify(text).slice(1, -1))
}

/** All records of a file as one text, each written in the same way. */
function textIn(bytes: Uint8Array): string {
  return recordsIn(bytes)
    .map((record) => JSON.stringify(record))
    .join('\n')
}

function recordsIn(bytes: Uint8Array): readonly unknown[] {
  return openSessionFile({ bytes }, { format: 'claude-code' }).records.map(({ value }) => value)
}

interface Block {
  readonly type?: string
  readonly text?: string
  readonly content?: unknown
}

function blocksOf(record: unknown): readonly Block[] {
  const content = (record as { message?: { content?: unknown } } | null)?.message?.content
  return Array.isArray(content) ? (content as Block[]) : []
}

function wordsOf(block: Block): string {
  return block.text ?? ''
}

function zero(): { kept: number; of: number } {
  return { kept: 0, of: 0 }
}

function count(sum: { kept: number; of: number }, holds: boolean): void {
  sum.of++
  if (holds) sum.kept++
}
