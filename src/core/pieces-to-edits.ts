/**
 * From the pieces of a new message list to a patch: the difference by reference.
 */
import { diff } from './diff.ts'
import type { Edit } from './edit.ts'
import { isObject, type JsonObject } from './json.ts'
import type { Piece } from './message-list.ts'

/** For each message of the new list the index that it had before; -1: it is new. */
export function originsOf(pieces: readonly Piece[]): readonly number[] {
  const origins: number[] = []
  for (const piece of pieces) {
    if (piece.kind === 'message') origins.push(piece.from)
    else for (let i = piece.from; i < piece.to; i++) origins.push(i)
  }
  return origins
}

/** Last place first: an edit never moves the ones still to come. */
export function toEdits(pieces: readonly Piece[], history: readonly unknown[]): Edit[] {
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
    for (const edit of inner.reverse()) edits.push(edit)
  } else edits.push({ op: 'splice', path: [], index, remove: [was], insert: [now] })
}
