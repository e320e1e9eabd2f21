/**
 * One walk over every value of a history: which keys occur, and which messages hold a string that is not well-formed Unicode.
 * A rule about a rare key asks here first. The walk has a stack of its own: content may be nested a hundred thousand deep.
 */

export interface NativeKeys {
  /** Where each key occurs: `OF_MESSAGE`, `INSIDE` or both. */
  readonly places: ReadonlyMap<string, number>
  /** Messages with a string or a key that holds half of a surrogate pair. */
  readonly illFormed: readonly number[]
}

/** A key of a message itself. */
export const OF_MESSAGE = 1
/** A key of something inside a message: a block, arguments, a result. */
export const INSIDE = 2

/** More than any message has: a value that holds itself must not stop the walk from ending. */
const MAX_STEPS = 10_000_000

export function nativeKeys(history: readonly unknown[]): NativeKeys {
  const places = new Map<string, number>()
  const illFormed: number[] = []
  for (let i = 0; i < history.length; i++) if (!walk(history[i], places)) illFormed.push(i)
  return { places, illFormed }
}

/** A history before an edit, and for each message after it the index that it had; -1: it is new. */
export interface EditedHistory {
  readonly history: readonly unknown[]
  readonly keys: NativeKeys
  readonly origins: readonly number[]
}

/** The same after an edit: only messages that are not the same object are walked. Keys that the edit removed may still be listed. */
export function keysAfterEdit(history: readonly unknown[], before: EditedHistory): NativeKeys {
  const { keys, origins } = before
  const places = new Map(keys.places)
  const wasIllFormed = new Set(keys.illFormed)
  const illFormed: number[] = []
  for (let i = 0; i < history.length; i++) {
    const origin = origins[i] ?? -1
    const isSame = origin >= 0 && before.history[origin] === history[i]
    const isWellFormed = isSame ? !wasIllFormed.has(origin) : walk(history[i], places)
    if (!isWellFormed) illFormed.push(i)
  }
  return { places, illFormed }
}

/** Whether every string and every key below is well-formed. */
export function isWellFormedDeep(root: unknown): boolean {
  return walk(root, new Map())
}

const stack: unknown[] = []

/** Notes where keys occur. True if every string and every key is well-formed. */
function walk(root: unknown, places: Map<string, number>): boolean {
  if (typeof root === 'string') return root.isWellFormed()
  if (!isHolder(root)) return true
  let isWellFormed = true
  let place = OF_MESSAGE
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
        const known = places.get(key) ?? 0
        if ((known & place) !== 0) continue
        if (key.isWellFormed()) places.set(key, known | place)
        else isWellFormed = false
      }
    }
    place = INSIDE
  }
  return isWellFormed
}

/** Bytes have no strings in them, only very many keys. */
function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
}
