/**
 * Puts late results in place of the synthetic ones.
 * The log knows which results are synthetic, so this does not depend on a provider: one that accepts two results for
 * one call gets only the real one.
 */
import { type Dialect, equal, type Part, Transcript, valueAt, withValueAt } from '../core/index.ts'
import type { MessageRow } from './message-reader.ts'

interface IndexedResult {
  part: Part
  hasSynthetic: boolean
}

/** The messages of these rows; each real result is where its synthetic one was, and once. */
export function withLateResults(rows: readonly MessageRow[], dialect: Dialect): readonly unknown[] {
  const messages: unknown[] = rows.map((row) => row.message)
  /** By the id of the call; ids that are used again are other calls. */
  const byId = new Map<string, IndexedResult>()
  const bySeq = new Map<number, IndexedResult>()
  const move = (late: Part, to: IndexedResult) => {
    const { message, list, index } = to.part
    messages[message] = withValueAt(messages[message], index < 0 ? list : [...list, index], late.value)
    messages[late.message] = without(messages[late.message], late)
    to.part = { ...to.part, value: late.value }
    to.hasSynthetic = false
  }
  const transcript = new Transcript(messages.slice(), dialect)
  rows.forEach((row, i) => {
    // From the last place to the first: a removal does not move earlier places.
    for (const part of transcript.partsOf(i).toReversed()) {
      if (part.server) continue
      if (part.kind === 'call' && part.id !== undefined) byId.delete(part.id)
      if (part.kind !== 'result') continue
      const known = standingOf(row, part, byId, bySeq)
      if (known?.hasSynthetic && !row.synthetic) move(part, known)
      else if (known && !row.synthetic && equal(known.part.value, part.value)) messages[i] = without(messages[i], part)
      else if (!known) indexResult(row, part, byId, bySeq)
    }
  })
  return messages.filter((message) => message !== undefined)
}

function standingOf(
  { insteadOf }: MessageRow,
  { id, value }: Part,
  byId: ReadonlyMap<string, IndexedResult>,
  bySeq: ReadonlyMap<number, IndexedResult>,
): IndexedResult | undefined {
  const known = insteadOf === undefined ? undefined : bySeq.get(insteadOf)
  if (known || id !== undefined) return known ?? byId.get(id!)
  // If the replaced result is not in the view, a patch has the late result already, or it is an orphan.
  return insteadOf === undefined ? undefined : [...bySeq.values()].find((one) => equal(one.part.value, value))
}

function indexResult(
  { seq, synthetic }: MessageRow,
  part: Part,
  byId: Map<string, IndexedResult>,
  bySeq: Map<number, IndexedResult>,
): void {
  const entry = { part, hasSynthetic: synthetic === true }
  if (part.id !== undefined) byId.set(part.id, entry)
  bySeq.set(seq > 0 ? seq : -1 - bySeq.size, entry)
}

/** The message without this part; undefined if it is then empty. */
function without(message: unknown, { list, index }: Part): unknown {
  const siblings = valueAt(message, list)
  if (index < 0 || !Array.isArray(siblings) || siblings.length === 1) return undefined
  return withValueAt(message, list, siblings.toSpliced(index, 1))
}
