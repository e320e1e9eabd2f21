/**
 * Ledger entries of each message, collected once and kept by reference: the next plan for a longer history collects only from new messages.
 */
import { type Dialect, HAS_CALL, HAS_RESULT, type Part, type Transcript } from '../core/index.ts'
import { entriesOfCall, failureIn, type LedgerBook, type LedgerKind, lineOf } from './ledger.ts'

interface LedgerLine {
  readonly kind: LedgerKind
  readonly text: string
  /** Of a failure: the index of the failed result among the parts of its message. */
  readonly part: number
}

const NONE: readonly LedgerLine[] = []
const known = new WeakMap<Dialect, WeakMap<object, readonly LedgerLine[]>>()

/** Adds the entries of the messages [from, to), except those at `spared`. */
export function addEntries(
  book: LedgerBook,
  transcript: Transcript,
  dialect: Dialect,
  { from, to, spared }: { readonly from: number; readonly to: number; readonly spared: ReadonlySet<number> },
): void {
  const { flags, starts, parts, history } = transcript
  const cache = known.get(dialect) ?? new WeakMap<object, readonly LedgerLine[]>()
  known.set(dialect, cache)
  for (let i = from; i < to; i++) {
    if ((flags[i]! & (HAS_CALL | HAS_RESULT)) === 0 || spared.has(i)) continue
    const message = history[i] as object
    const lines = cache.get(message) ?? linesOf(transcript.partsOf(i), dialect)
    cache.set(message, lines)
    for (const { kind, text, part } of lines)
      if (kind === 'failed') book.enter(kind, `${toolName(transcript, parts[starts[i]! + part]!)}: ${text}`)
      else book.put(kind, text)
  }
}

function linesOf(parts: readonly Part[], dialect: Dialect): readonly LedgerLine[] {
  const lines: LedgerLine[] = []
  parts.forEach((part, i) => {
    if (part.kind === 'call')
      for (const [kind, text] of entriesOfCall(part)) lines.push({ kind, text: lineOf(text), part: i })
    if (part.kind !== 'result' || part.server) return
    const text = failureIn(part, typeof part.body === 'string' ? part.body : dialect.content(part).text)
    if (text !== undefined) lines.push({ kind: 'failed', text, part: i })
  })
  return lines.length === 0 ? NONE : lines
}

function toolName(transcript: Transcript, result: Part): string {
  return transcript.callOf(result)?.name ?? result.name ?? 'tool'
}
