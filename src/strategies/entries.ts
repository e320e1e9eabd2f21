/**
 * The ledger's lines of each message, worked out once and remembered with its tokens: the next plan for a longer history reads only what is new.
 */
import { type Dialect, HAS_CALL, HAS_RESULT, type Part } from '../core/index.ts'
import { entriesOfCall, failureIn, type LedgerBook, type Line, lineOf } from './ledger.ts'
import type { Desk } from './plan-types.ts'

const NONE: readonly Line[] = []
/** A failure's call is looked for in so many messages before it. */
const NEAR = 64

/** Enters what the calls and results of the messages at these places say, but for those that stay. */
export function enterAll(
  book: LedgerBook,
  { list, flags, target, counted }: Pick<Desk, 'list' | 'flags' | 'target' | 'counted'>,
  { from, to, spared }: { readonly from: number; readonly to: number; readonly spared: ReadonlySet<number> },
): void {
  const { dialect } = target.service
  for (let i = from; i < to; i++) {
    if ((flags[i]! & (HAS_CALL | HAS_RESULT)) === 0 || spared.has(i)) continue
    let lines = counted.lines[i]
    if (!lines) {
      lines = linesOf(list[i], dialect)
      counted.lines[i] = lines
    }
    for (const { kind, text, id, name } of lines)
      if (kind === 'failed') book.enter(kind, `${nameOf(id, list, i, dialect) ?? name ?? 'tool'}: ${text}`)
      else book.put(kind, text)
  }
}

function linesOf(message: unknown, dialect: Dialect): readonly Line[] {
  const parts: Part[] = []
  dialect.read(message, 0, parts)
  const lines: Line[] = []
  for (const part of parts) {
    if (part.kind === 'call') for (const [kind, text] of entriesOfCall(part)) lines.push({ kind, text: lineOf(text) })
    if (part.kind !== 'result' || part.server) continue
    const text = failureIn(part, typeof part.body === 'string' ? part.body : dialect.content(part).text)
    if (text !== undefined) lines.push({ kind: 'failed', text, id: part.id, name: part.name })
  }
  return lines.length === 0 ? NONE : lines
}

function nameOf(id: string | undefined, head: readonly unknown[], at: number, dialect: Dialect): string | undefined {
  if (id === undefined) return undefined
  const parts: Part[] = []
  for (let i = at; i >= Math.max(0, at - NEAR); i--) {
    parts.length = 0
    dialect.read(head[i], i, parts)
    const call = parts.findLast((part) => part.kind === 'call' && part.id === id)
    if (call) return call.name
  }
  return undefined
}
