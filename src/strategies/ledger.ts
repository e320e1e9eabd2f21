/**
 * Files read and changed, commands, ids and failures, collected from the calls without a model and carried from one compaction to the next.
 * Every summary loses these first; here they are kept to the letter.
 */
import { isObject, type Part } from '../core/index.ts'

export interface Ledger {
  readonly read: readonly string[]
  readonly changed: readonly string[]
  readonly ran: readonly string[]
  readonly failed: readonly string[]
  readonly ids: readonly string[]
}

export const NO_LEDGER: Ledger = { read: [], changed: [], ran: [], failed: [], ids: [] }

const KINDS = ['changed', 'read', 'ran', 'failed', 'ids'] as const
const FILE_KEYS =
  /^(?:(?:target_?|absolute_?|relative_?|file_?|notebook_?|old_?|new_?)?(?:path|file|filename|paths|files))$/i
const COMMAND_KEYS = /^(?:command|commands|cmd|script)$/i
const ID_KEYS = /(?:^|_)ids?$|[a-z]Ids?$/
const TELLING = /path|file|command|cmd|script|ids?"|patch|diff/i
const CHANGES = /write|edit|create|patch|replace|insert|delete|remove|move|rename|update|append|save/i
const FAILURE = /^\s*(?:\w*error|\w*exception|traceback|fatal|failed|failure|command failed|exit code [1-9])\b/i
/** Longer ones are cut: a line is a pointer, not a copy. */
const LINE = 300

/** Gathers entries in order; the same one is kept once, and a file that was changed counts as changed only. */
export class LedgerBook {
  private readonly entries = new Map<string, Set<string>>(KINDS.map((kind) => [kind, new Set<string>()]))

  constructor(from: Ledger = NO_LEDGER) {
    this.add(from)
  }

  add(from: Ledger): void {
    for (const kind of KINDS) for (const line of from[kind]) this.entries.get(kind)!.add(line)
  }

  call({ name = '', body, type }: Part): void {
    const args = argumentsOf(body)
    if (typeof args === 'string' && /patch/.test(name + type))
      for (const file of patched(args)) this.note('changed', file)
    if (isObject(args)) this.walk(args, CHANGES.test(name) || /patch/.test(type) ? 'changed' : 'read')
  }

  result(part: Part, text: string, name: string | undefined): void {
    if (!part.failed && !FAILURE.test(text.slice(0, 80))) return
    const first = text.trim().split('\n', 1)[0] ?? ''
    this.note('failed', `${name ?? part.name ?? 'tool'}: ${first || '(no message)'}`)
  }

  finished(): Ledger {
    const list = (kind: (typeof KINDS)[number]) => [...this.entries.get(kind)!]
    const changed = this.entries.get('changed')!
    return {
      read: list('read').filter((file) => !changed.has(file)),
      changed: list('changed'),
      ran: list('ran'),
      failed: list('failed'),
      ids: list('ids'),
    }
  }

  private walk(args: Readonly<Record<string, unknown>>, files: 'read' | 'changed'): void {
    for (const [key, value] of Object.entries(args)) {
      const texts = textsIn(value)
      if (FILE_KEYS.test(key)) for (const text of texts) this.note(files, text)
      else if (COMMAND_KEYS.test(key)) this.command(value, texts)
      else if (ID_KEYS.test(key)) for (const text of texts) this.note('ids', `${key} ${text}`)
      else if (key === 'patch' || key === 'diff')
        for (const text of texts) for (const file of patched(text)) this.note('changed', file)
    }
  }

  private command(value: unknown, texts: readonly string[]): void {
    if (texts.length > 0) this.note('ran', Array.isArray(value) ? texts.join(' ') : texts[0]!)
  }

  private note(kind: (typeof KINDS)[number], text: string): void {
    const line = text.replace(/\s+/g, ' ').trim()
    if (line !== '') this.entries.get(kind)!.add(line.length > LINE ? `${line.slice(0, LINE).toWellFormed()}…` : line)
  }
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

/** The newest entries that fit: of each kind the oldest go first, what was changed last of all. */
export function fitLedger(ledger: Ledger, room: number, estimate: (text: string) => number): Ledger {
  const kept: Record<string, string[]> = { read: [], changed: [], ran: [], failed: [], ids: [] }
  let left = room
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
  // A glance first: most arguments name nothing that is kept.
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
