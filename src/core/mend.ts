/**
 * From steps to a patch: the touched messages get their outcome, neighbours are looked at again, the rest is never visited.
 * Works on stretches of untouched messages and single changed ones, so its cost is that of the change.
 */
import type { Cause } from './cause.ts'
import { diff } from './diff.ts'
import { Drafts } from './drafts.ts'
import { type Edit, type Patch, setting } from './edit.ts'
import type { Found } from './found.ts'
import { isObject, type JsonObject } from './json.ts'
import { type Piece, Sequence } from './sequence.ts'
import { takeSteps } from './steps.ts'
import type { Walk } from './walk.ts'

export function mend(walk: Walk, found: readonly Found[], cause: Cause): Patch {
  const steps = found.flatMap((one) => one.steps)
  const drafts = new Drafts(walk.dialect, walk.history)
  const body = takeSteps(steps, walk, drafts, cause)
  const sequence = new Sequence(walk, new Set(found.map((one) => one.bound)))
  let next = 0
  for (const index of drafts.touched()) {
    sequence.stretch(next, index)
    const { message, emptied, behind } = drafts.outcome(index)
    if (message !== undefined) sequence.message(message, index)
    else sequence.removed(index, emptied, behind)
    for (const value of behind) sequence.message(value, -1)
    next = index + 1
  }
  sequence.stretch(next, walk.history.length)
  sequence.end()
  const edits = toEdits(sequence.finished(), walk.history)
  for (const [key, now] of body) edits.push(setting([], key, walk.body?.[key], now))
  return edits
}

/** Last place first: an edit never moves the ones still to come, so no positions are mapped. */
function toEdits(pieces: readonly Piece[], history: readonly unknown[]): Edit[] {
  const edits: Edit[] = []
  let next = 0
  let insert: unknown[] = []
  const flush = (upTo: number): void => {
    const remove = history.slice(next, upTo)
    if (remove.length > 0 || insert.length > 0) edits.push({ op: 'splice', path: [], index: next, remove, insert })
    insert = []
  }
  for (const piece of pieces) {
    if (piece.kind === 'message' && piece.from < next) {
      insert.push(piece.message)
      continue
    }
    flush(piece.from)
    next = piece.kind === 'message' ? piece.from + 1 : piece.to
    if (piece.kind === 'message') editMessage(piece.message, history[piece.from], piece.from, edits)
  }
  flush(history.length)
  return edits.reverse()
}

function editMessage(now: unknown, was: unknown, index: number, edits: Edit[]): void {
  if (now === was) return
  if (isObject(now) && isObject(was) && Object.getPrototypeOf(now) === Object.getPrototypeOf(was)) {
    const inner: Edit[] = []
    diff([index], was as JsonObject, now as JsonObject, inner)
    // The whole list is turned around at the end; what belongs to one message keeps its own order.
    edits.push(...inner.reverse())
  } else edits.push({ op: 'splice', path: [], index, remove: [was], insert: [now] })
}
