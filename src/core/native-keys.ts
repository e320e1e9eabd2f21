/**
 * One walk over every value of a history: which groups of keys occur, and which messages hold a string that is not well-formed Unicode.
 * A rule about a rare key asks here first. The walk has a stack of its own: content may be nested a hundred thousand deep.
 */

/** Keys that a rule asks for together, as a bit in a number. With many groups two may share a bit: then the answer may be yes for nothing. */
export interface KeyGroup {
  readonly bit: number
}

interface FoundKeys {
  /** Groups of which a message itself has a key. */
  onMessages: number
  /** Groups of which a message, or anything in one, has a key. */
  anywhere: number
}

export interface NativeKeys extends Readonly<FoundKeys> {
  /** Messages with a string or a key that holds half of a surrogate pair. */
  readonly illFormed: readonly number[]
  /** How many groups there were when it was made. */
  readonly groups: number
}

/** More than any message has: a value that holds itself must not stop the walk from ending. */
const MAX_STEPS = 10_000_000

/** Keys that were seen before, all well-formed, with the bits of their groups: 0 for nearly all. */
const groupsOfKey = new Map<string, number>()
const MAX_KEYS = 5000
const BITS = 30

let groupCount = 0
const known = new Map<string, KeyGroup>()

/** The group of these keys; walks note it from now on. Asked for once and kept, not for each history. */
export function keyGroup(keys: readonly string[]): KeyGroup {
  return groupOf(keys.join('\n'), keys)
}

/** The group of this key alone. */
export function groupOf(key: string, keys: readonly string[] = [key]): KeyGroup {
  const found = known.get(key)
  if (found) return found
  const group = { bit: 1 << (groupCount++ % BITS) }
  for (const one of keys) groupsOfKey.set(one, (groupsOfKey.get(one) ?? 0) | group.bit)
  known.set(key, group)
  return group
}

/** Made before the last group was: it does not know of that one. */
export function isStale({ groups }: NativeKeys): boolean {
  return groups !== groupCount
}

export function nativeKeys(history: readonly unknown[]): NativeKeys {
  const found: FoundKeys = { onMessages: 0, anywhere: 0 }
  const illFormed: number[] = []
  for (let i = 0; i < history.length; i++) if (!walk(history[i], found)) illFormed.push(i)
  return { onMessages: found.onMessages, anywhere: found.anywhere, illFormed, groups: groupCount }
}

/** A history before an edit, and for each message after it the index that it had; -1: it is new. */
export interface EditedHistory {
  readonly history: readonly unknown[]
  readonly keys: NativeKeys
  readonly origins: readonly number[]
}

/** The same after an edit: only messages that are not the same object are walked. Keys that the edit removed may still be noted. */
export function keysAfterEdit(history: readonly unknown[], before: EditedHistory): NativeKeys {
  const { keys, origins } = before
  const found: FoundKeys = { onMessages: keys.onMessages, anywhere: keys.anywhere }
  const wasIllFormed = new Set(keys.illFormed)
  const illFormed: number[] = []
  for (let i = 0; i < history.length; i++) {
    const origin = origins[i] ?? -1
    const isSame = origin >= 0 && before.history[origin] === history[i]
    const isWellFormed = isSame ? !wasIllFormed.has(origin) : walk(history[i], found)
    if (!isWellFormed) illFormed.push(i)
  }
  return { onMessages: found.onMessages, anywhere: found.anywhere, illFormed, groups: groupCount }
}

/** Whether every string and every key below is well-formed. */
export function isWellFormedDeep(root: unknown): boolean {
  return walk(root, { onMessages: 0, anywhere: 0 })
}

const stack: unknown[] = []

/** Notes the groups of all keys. True if every string and every key is well-formed. */
function walk(root: unknown, found: FoundKeys): boolean {
  if (typeof root === 'string') return root.isWellFormed()
  if (!isHolder(root)) return true
  let isWellFormed = true
  let groups = 0
  let top = 0
  stack[top++] = root
  for (let n = 0; top > 0 && n < MAX_STEPS; n++) {
    const holder = stack[--top] as Record<string, unknown>
    if (Array.isArray(holder)) {
      for (let i = 0; i < holder.length; i++) {
        const value: unknown = holder[i]
        if (typeof value === 'string') isWellFormed &&= value.isWellFormed()
        else if (isHolder(value)) stack[top++] = value
      }
    } else {
      for (const key in holder) {
        const value = holder[key]
        if (typeof value === 'string') isWellFormed &&= value.isWellFormed()
        else if (isHolder(value)) stack[top++] = value
        // A key that holds undefined is not there, as JSON has it.
        else if (value === undefined) continue
        const its = groupsOfKey.get(key)
        if (its !== undefined) groups |= its
        else if (!learn(key)) isWellFormed = false
      }
    }
    if (n === 0) found.onMessages |= groups
  }
  found.anywhere |= groups
  return isWellFormed
}

/** Remembers a key that is well-formed. Keys come from outside, so only so many are kept. */
function learn(key: string): boolean {
  if (!key.isWellFormed()) return false
  if (groupsOfKey.size >= MAX_KEYS) for (const [one, groups] of groupsOfKey) if (groups === 0) groupsOfKey.delete(one)
  groupsOfKey.set(key, 0)
  return true
}

/** Bytes have no strings in them, only very many keys. */
function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
}
