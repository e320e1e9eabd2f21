import { type Dialect, HAS_CALL, HAS_RESULT, isObject, orUndefined, type Part, type Transcript } from '../core/index.ts'
import type { Estimate } from './estimate.ts'

/**
 * Files read and changed, commands, ids and failures, collected from calls without a model and carried from one
 * compaction to the next. Summaries lose these first; the ledger keeps them verbatim.
 */
export interface Ledger {
  readonly read: readonly string[]
  readonly changed: readonly string[]
  readonly ran: readonly string[]
  readonly failed: readonly string[]
  readonly ids: readonly string[]
}

type LedgerKind = keyof Ledger
type LedgerEntry = readonly [kind: LedgerKind, line: string]

const KINDS = ['changed', 'read', 'ran', 'failed', 'ids'] as const

export const NO_LEDGER: Ledger = ledgerOf(() => [])

function ledgerOf(lines: (kind: LedgerKind) => readonly string[]): Ledger {
  return Object.fromEntries(KINDS.map((kind) => [kind, lines(kind)])) as unknown as Ledger
}

const FILE_KEYS =
  /^(?:(?:target_?|absolute_?|relative_?|file_?|notebook_?|old_?|new_?)?(?:path|file|filename|paths|files))$/i
const COMMAND_KEYS = /^(?:command|commands|cmd|script)$/i
const ID_KEYS = /(?:^|_)ids?$|[a-z]Ids?$/
const TELLING = /path|file|command|cmd|script|ids?"|patch|diff/i
const CHANGES = /write|edit|create|patch|replace|insert|delete|remove|move|rename|update|append|save/i
const FAILURE = /^\s*(?:\w*error|\w*exception|traceback|fatal|failed|failure|command failed|exit code [1-9])\b/i
/** Maximum length of a line. */
const LINE = 300

/** `part`: of a failure, the index of the failed result, since the name of its tool is in another message. */
interface MessageEntry {
  readonly kind: LedgerKind
  readonly text: string
  readonly part: number
}

/** Entries of each message, collected once: the next plan for a longer history reads only new messages. */
const known = new WeakMap<Dialect, WeakMap<object, readonly MessageEntry[]>>()

/**
 * Earlier ledgers and the entries of the messages [from, to) except `spared`, in order and each once. A file that was
 * read and changed counts as changed.
 */
export function collectLedger(
  earlier: readonly Ledger[],
  transcript: Transcript,
  { from, to, spared }: { readonly from: number; readonly to: number; readonly spared: ReadonlySet<number> },
): Ledger {
  const { dialect, flags, history } = transcript
  const found = new Map(KINDS.map((kind) => [kind, new Set(earlier.flatMap((ledger) => ledger[kind]))]))
  const cache = known.get(dialect) ?? new WeakMap<object, readonly MessageEntry[]>()
  known.set(dialect, cache)
  for (let i = from; i < to; i++) {
    if ((flags[i]! & (HAS_CALL | HAS_RESULT)) === 0 || spared.has(i)) continue
    const message = history[i] as object
    const entries = cache.get(message) ?? entriesOf(transcript.partsOf(i), dialect)
    cache.set(message, entries)
    for (const { kind, text, part } of entries) {
      const line = kind === 'failed' ? lineOf(`${toolName(transcript, transcript.partsOf(i)[part]!)}: ${text}`) : text
      if (line !== '') found.get(kind)!.add(line)
    }
  }
  const changed = found.get('changed')!
  return ledgerOf((kind) => [...found.get(kind)!].filter((line) => kind !== 'read' || !changed.has(line)))
}

function entriesOf(parts: readonly Part[], dialect: Dialect): readonly MessageEntry[] {
  return parts.flatMap((part, i): readonly MessageEntry[] => {
    if (part.kind === 'call') return entriesOfCall(part).map(([kind, text]) => ({ kind, text: lineOf(text), part: i }))
    if (part.kind !== 'result' || part.server) return []
    const text = failureIn(part, typeof part.body === 'string' ? part.body : dialect.content(part).text)
    return text === undefined ? [] : [{ kind: 'failed', text, part: i }]
  })
}

function toolName(transcript: Transcript, result: Part): string {
  return transcript.callOf(result)?.name ?? result.name ?? 'tool'
}

/** A text on one line, cut to the maximum length. */
function lineOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LINE ? `${line.slice(0, LINE).toWellFormed()}…` : line
}

/** Files, commands and ids in the arguments of a call, in order. */
function entriesOfCall({ name = '', body, type }: Part): readonly LedgerEntry[] {
  const args = argumentsOf(body)
  const found: LedgerEntry[] = []
  if (typeof args === 'string' && /patch/.test(name + type))
    for (const file of patched(args)) found.push(['changed', file])
  if (!isObject(args)) return found
  const files = CHANGES.test(name) || /patch/.test(type) ? 'changed' : 'read'
  for (const key of Object.keys(args)) {
    const value = args[key]
    if (FILE_KEYS.test(key)) for (const text of textsIn(value)) found.push([files, text])
    else if (COMMAND_KEYS.test(key)) found.push(...commandIn(value))
    else if (ID_KEYS.test(key)) for (const text of textsIn(value)) found.push(['ids', `${key} ${text}`])
    else if (key === 'patch' || key === 'diff')
      for (const text of textsIn(value)) for (const file of patched(text)) found.push(['changed', file])
  }
  return found
}

/** The first line of a failed result. */
function failureIn(part: Part, text: string): string | undefined {
  if (!part.failed && !FAILURE.test(text.slice(0, 80))) return undefined
  return text.trim().split('\n', 1)[0] || '(no message)'
}

function commandIn(value: unknown): readonly LedgerEntry[] {
  const texts = textsIn(value)
  return texts.length === 0 ? [] : [['ran', Array.isArray(value) ? texts.join(' ') : texts[0]!]]
}

export function ledgerLines(ledger: Ledger): string[] {
  return KINDS.flatMap((kind) => ledger[kind].map((line) => `${kind}: ${line}`))
}

export function parseLedger(text: string): Ledger {
  const lines = text.split('\n')
  return ledgerOf((kind) =>
    lines.filter((line) => line.startsWith(`${kind}: `)).map((line) => line.slice(kind.length + 2)),
  )
}

/** The newest entries that fit. Of each kind the oldest are dropped first; changed files are dropped last. */
export function fitLedger(ledger: Ledger, maxTokens: number, estimate: Estimate): Ledger {
  const kept = new Map<LedgerKind, readonly string[]>()
  let left = maxTokens
  for (const kind of ['changed', 'failed', 'ids', 'ran', 'read'] as const) {
    const lines = ledger[kind]
    let from = lines.length
    while (from > 0 && left > 0) {
      left -= estimate(lines[from - 1]!) + 4
      if (left >= 0) from--
    }
    kept.set(kind, lines.slice(from))
  }
  return ledgerOf((kind) => kept.get(kind)!)
}

export function ledgerSize(ledger: Ledger): number {
  return KINDS.reduce((sum, kind) => sum + ledger[kind].length, 0)
}

function argumentsOf(body: unknown): unknown {
  if (typeof body !== 'string') return body
  // A cheap check first: most arguments name nothing for the ledger.
  if (!TELLING.test(body) || !body.trimStart().startsWith('{')) return body
  return orUndefined(() => JSON.parse(body)) ?? body
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

function patched(text: string): string[] {
  return [...text.matchAll(/^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ (?:b\/)?)(.+)$/gm)].map((found) => found[1]!)
}
