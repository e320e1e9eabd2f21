/**
 * Files read and changed, commands, ids and failures, collected from calls without a model and carried from one compaction to the next.
 * Summaries lose these first; the ledger keeps them verbatim.
 */
import { isObject, type Part } from '../core/index.ts'

export interface Ledger {
  readonly read: readonly string[]
  readonly changed: readonly string[]
  readonly ran: readonly string[]
  readonly failed: readonly string[]
  readonly ids: readonly string[]
}

export type LedgerKind = keyof Ledger

export type LedgerEntry = readonly [kind: LedgerKind, line: string]

export const NO_LEDGER: Ledger = { read: [], changed: [], ran: [], failed: [], ids: [] }

const KINDS = ['changed', 'read', 'ran', 'failed', 'ids'] as const
const FILE_KEYS =
  /^(?:(?:target_?|absolute_?|relative_?|file_?|notebook_?|old_?|new_?)?(?:path|file|filename|paths|files))$/i
const COMMAND_KEYS = /^(?:command|commands|cmd|script)$/i
const ID_KEYS = /(?:^|_)ids?$|[a-z]Ids?$/
const TELLING = /path|file|command|cmd|script|ids?"|patch|diff/i
const CHANGES = /write|edit|create|patch|replace|insert|delete|remove|move|rename|update|append|save/i
const FAILURE = /^\s*(?:\w*error|\w*exception|traceback|fatal|failed|failure|command failed|exit code [1-9])\b/i
/** Maximum length of a line. */
const LINE = 300

/** Collects entries in order, each once. A file that was read and changed counts as changed. */
export class LedgerBook {
  private readonly entries = new Map<string, Set<string>>(KINDS.map((kind) => [kind, new Set<string>()]))

  constructor(from: Ledger = NO_LEDGER) {
    this.add(from)
  }

  add(from: Ledger): void {
    for (const kind of KINDS) for (const line of from[kind]) this.entries.get(kind)!.add(line)
  }

  call(part: Part): void {
    for (const [kind, line] of entriesOfCall(part)) this.enter(kind, line)
  }

  result(part: Part, text: string, name: string | undefined): void {
    const line = failureIn(part, text)
    if (line !== undefined) this.enter('failed', `${name ?? part.name ?? 'tool'}: ${line}`)
  }

  enter(kind: LedgerKind, text: string): void {
    this.put(kind, lineOf(text))
  }

  /** A line as `lineOf` gives it. */
  put(kind: LedgerKind, line: string): void {
    if (line !== '') this.entries.get(kind)!.add(line)
  }

  finished(): Ledger {
    const list = (kind: LedgerKind) => [...this.entries.get(kind)!]
    const changed = this.entries.get('changed')!
    return {
      read: list('read').filter((file) => !changed.has(file)),
      changed: list('changed'),
      ran: list('ran'),
      failed: list('failed'),
      ids: list('ids'),
    }
  }
}

/** A text on one line, cut to the maximum length. */
export function lineOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LINE ? `${line.slice(0, LINE).toWellFormed()}…` : line
}

/** Files, commands and ids in the arguments of a call, in order. */
export function entriesOfCall({ name = '', body, type }: Part): readonly LedgerEntry[] {
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
export function failureIn(part: Part, text: string): string | undefined {
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
  const of = (kind: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${kind}: `))
      .map((line) => line.slice(kind.length + 2))
  return { read: of('read'), changed: of('changed'), ran: of('ran'), failed: of('failed'), ids: of('ids') }
}

/** The newest entries that fit. Of each kind the oldest are dropped first; changed files are dropped last. */
export function fitLedger(ledger: Ledger, maxTokens: number, estimate: (text: string) => number): Ledger {
  const kept: Record<string, string[]> = { read: [], changed: [], ran: [], failed: [], ids: [] }
  let left = maxTokens
  for (const kind of ['changed', 'failed', 'ids', 'ran', 'read'] as const) {
    const lines = ledger[kind]
    let from = lines.length
    while (from > 0 && left > 0) {
      left -= estimate(lines[from - 1]!) + 4
      if (left >= 0) from--
    }
    kept[kind] = lines.slice(from)
  }
  return kept as unknown as Ledger
}

export function ledgerSize(ledger: Ledger): number {
  return KINDS.reduce((sum, kind) => sum + ledger[kind].length, 0)
}

function argumentsOf(body: unknown): unknown {
  if (typeof body !== 'string') return body
  // A cheap check first: most arguments name nothing for the ledger.
  if (!TELLING.test(body) || !body.trimStart().startsWith('{')) return body
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

function patched(text: string): string[] {
  return [...text.matchAll(/^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ (?:b\/)?)(.+)$/gm)].map((found) => found[1]!)
}
