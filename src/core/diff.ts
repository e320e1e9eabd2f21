/**
 * The edits that lead from one value to another that was made from it.
 * Shared references are taken for unchanged, so the cost is that of the change, not of the history.
 */
import { align } from './align.ts'
import { type Edit, type Patch, setting } from './edit.ts'
import { isObject, type JsonObject, type Path } from './json.ts'

/** Deeper than this a changed value is set whole: leaves that deep are not edited one by one. */
const DEPTH = 60

export function diff(path: Path, was: JsonObject, now: JsonObject, edits: Edit[]): void {
  for (const key of Object.keys(was)) {
    if (!Object.hasOwn(now, key) && was[key] !== undefined) edits.push(setting(path, key, was[key], undefined))
  }
  for (const key of Object.keys(now)) {
    if (now[key] !== was[key] || !Object.hasOwn(was, key)) diffKey(path, key, was, now, edits)
  }
}

function diffKey(path: Path, key: string, was: JsonObject, now: JsonObject, edits: Edit[]): void {
  const before = Object.hasOwn(was, key) ? was[key] : undefined
  const after = now[key]
  if (path.length < DEPTH && isObject(before) && isObject(after)) diff([...path, key], before, after, edits)
  else if (path.length < DEPTH && Array.isArray(before) && Array.isArray(after))
    diffList([...path, key], before, after, edits)
  else edits.push(setting(path, key, before, after))
}

export function diffList(path: Path, was: readonly unknown[], now: readonly unknown[], edits: Edit[]): void {
  const { start, end } = sharedEnds(was, now)
  if (was.length === now.length && pairwise(was, now, start, was.length - end)) {
    for (let i = start; i < was.length - end; i++) {
      if (was[i] !== now[i]) diff([...path, i], was[i] as JsonObject, now[i] as JsonObject, edits)
    }
    return
  }
  const remove = was.slice(start, was.length - end)
  const insert = now.slice(start, now.length - end)
  if (remove.length > 0 || insert.length > 0) edits.push({ op: 'splice', path, index: start, remove, insert })
}

/** Whether each changed element still is an object of the same sort as the one it came from. */
function pairwise(was: readonly unknown[], now: readonly unknown[], from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    if (was[i] === now[i]) continue
    if (!isObject(was[i]) || !isObject(now[i])) return false
    if ((was[i] as JsonObject)['type'] !== (now[i] as JsonObject)['type']) return false
  }
  return true
}

/** How many elements at the beginning and, after those, at the end are the same references. */
export function sharedEnds(was: readonly unknown[], now: readonly unknown[]): { start: number; end: number } {
  const length = Math.min(was.length, now.length)
  let start = 0
  while (start < length && was[start] === now[start]) start++
  let end = 0
  while (end < length - start && was[was.length - 1 - end] === now[now.length - 1 - end]) end++
  return { start, end }
}

/**
 * The patch between two lists. `from` has for each new element the index of the old one that it was made from, or -1.
 * Edits come last place first, so that none moves the place of a later one. `path` leads to the list.
 */
export function diffAligned(
  was: readonly unknown[],
  now: readonly unknown[],
  from: readonly number[],
  path: Path,
): Edit[] {
  const edits: Edit[] = []
  let removed = 0
  let inserted = 0
  const flush = (old: number, at: number): void => {
    if (removed < old || inserted < at)
      edits.push({
        op: 'splice',
        path,
        index: removed,
        remove: was.slice(removed, old),
        insert: now.slice(inserted, at),
      })
    removed = old + 1
    inserted = at + 1
  }
  for (let i = 0; i < now.length; i++) {
    const old = from[i]!
    if (old < removed) continue
    flush(old, i)
    if (now[i] !== was[old]) diffElement(path, old, was[old], now[i], edits)
  }
  flush(was.length, now.length)
  return edits.reverse()
}

function diffElement(path: Path, index: number, was: unknown, now: unknown, edits: Edit[]): void {
  if (isObject(was) && isObject(now) && Object.getPrototypeOf(now) === Object.getPrototypeOf(was)) {
    const inner: Edit[] = []
    diff([...path, index], was, now, inner)
    // The whole list is reversed at the end. Edits of one element keep their order.
    for (const edit of inner.reverse()) edits.push(edit)
  } else edits.push({ op: 'splice', path, index, remove: [was], insert: [now] })
}

/** The patch between two lists of messages: a message is unchanged if it is the same reference. */
export function diffMessages(was: readonly unknown[], now: readonly unknown[], path: Path = []): Patch {
  const { start, end } = sharedEnds(was, now)
  const middle = align(was.slice(start, was.length - end), now.slice(start, now.length - end))
  const from = now.map((_, i) => {
    if (i < start) return i
    if (i >= now.length - end) return i - now.length + was.length
    const { from: old, moved } = middle[i - start]!
    return old < 0 || moved ? -1 : start + old
  })
  return diffAligned(was, now, from, path)
}
