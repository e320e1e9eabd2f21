/**
 * The patch from one list of messages to another that was made from it: what is the same reference is untouched.
 */
import { type Dialect, type Edit, namesAt, type Patch, rounds } from '../core/index.ts'

/** Edits last place first, so that none moves the ones still to come. `path`: where the list stands. */
export function patchBetween(was: readonly unknown[], now: readonly unknown[], path: readonly string[] = []): Patch {
  let start = 0
  while (start < was.length && start < now.length && was[start] === now[start]) start++
  let end = 0
  const most = Math.min(was.length, now.length) - start
  while (end < most && was[was.length - 1 - end] === now[now.length - 1 - end]) end++
  const edits: Edit[] = []
  const stay = stayingIn(now, start, now.length - end)
  let from = start
  let next = start
  const flush = (upTo: number, at: number): void => {
    const remove = was.slice(from, upTo)
    const insert = now.slice(next, at)
    if (remove.length > 0 || insert.length > 0) edits.push({ op: 'splice', path, index: from, remove, insert })
  }
  // Few new messages, as after a cut: looked for by reference in one go rather than one lookup for each old message.
  const scans = stay.size > 16 || [...stay.keys()].some((message) => was.includes(message, start))
  for (let i = start; scans && i < was.length - end; i++) {
    const at = stay.get(was[i])?.find((place) => place >= next)
    if (at === undefined) continue
    flush(i, at)
    from = i + 1
    next = at + 1
  }
  flush(was.length - end, now.length - end)
  return edits.reverse()
}

/** Where each message of the new list stands. */
function stayingIn(now: readonly unknown[], from: number, to: number): Map<unknown, number[]> {
  const places = new Map<unknown, number[]>()
  for (let i = from; i < to; i++) {
    const known = places.get(now[i])
    if (known) known.push(i)
    else places.set(now[i], [i])
  }
  return places
}

/** Names of the rounds in which two lists differ, as the first has them. What is only inserted belongs to the round before it. */
export function changedRounds(was: readonly unknown[], now: readonly unknown[], dialect: Dialect): readonly string[] {
  if (was === now || was.length === 0) return []
  const places = new Set<number>()
  for (const edit of patchBetween(was, now)) {
    if (edit.op !== 'splice') continue
    if (edit.remove.length === 0) places.add(Math.max(0, edit.index - 1))
    for (let i = 0; i < edit.remove.length; i++) places.add(edit.index + i)
  }
  const ascending = [...places].sort((a, b) => a - b)
  return ascending.length === 0 ? [] : namesAt(rounds(was, dialect), ascending)
}
