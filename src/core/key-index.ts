/**
 * The keys that occur in a history, and the messages with a string that is not well-formed Unicode: one walk over every value.
 * A rule about a rare key asks here first. It keeps keys, never values.
 */

/** More than any message has: a value that holds itself must not stop the walk from ending. */
const MAX_STEPS = 10_000_000
/** Keys can come from outside, so only so many are kept. After that any key may occur. */
const MAX_KEYS = 5000

/** A history before an edit, and for each message after it the index that it had; -1: it is new. */
export interface EditedHistory {
  readonly history: readonly unknown[]
  readonly keys: KeyIndex
  readonly origins: readonly number[]
}

/** Where a key was seen, as bits. */
const IN_MESSAGE = 1
const ON_MESSAGE = 2
type Places = Map<string, number>

export class KeyIndex {
  /** Messages with a string or a key that holds half of a surrogate pair. */
  readonly illFormed: readonly number[]
  private readonly places: Places

  /** After an edit only messages that are not the same object are walked, and keys that the edit removed stay. */
  constructor(history: readonly unknown[], before?: EditedHistory) {
    this.places = before?.keys.places ?? new Map()
    const wasIllFormed = before && new Set(before.keys.illFormed)
    const illFormed: number[] = []
    const stack: unknown[] = []
    for (let i = 0; i < history.length; i++) {
      const origin = before?.origins[i] ?? -1
      const isSame = origin >= 0 && before?.history[origin] === history[i]
      const isWellFormed = isSame ? !wasIllFormed!.has(origin) : walk(history[i], this.places, stack)
      if (!isWellFormed) illFormed.push(i)
    }
    this.illFormed = illFormed
  }

  /** False: no message, and nothing in one, has one of these keys. */
  mayHave(keys: readonly string[]): boolean {
    if (this.places.size >= MAX_KEYS) return true
    for (let i = 0; i < keys.length; i++) if (this.places.has(keys[i]!)) return true
    return false
  }

  /** False: no message itself has one of these keys. */
  mayHaveOnMessage(keys: readonly string[]): boolean {
    if (this.places.size >= MAX_KEYS) return true
    for (let i = 0; i < keys.length; i++) if (((this.places.get(keys[i]!) ?? 0) & ON_MESSAGE) !== 0) return true
    return false
  }
}

/** Whether every string and every key below is well-formed. */
export function isWellFormedDeep(root: unknown): boolean {
  return walk(root, new Map(), [])
}

/**
 * Notes the keys of a message and those in it. True if every string and every key is well-formed.
 * Content may be nested a hundred thousand deep, so the walk has a stack. All messages share it: a list that grows is copied.
 */
function walk(root: unknown, places: Places, stack: unknown[]): boolean {
  if (typeof root === 'string') return root.isWellFormed()
  if (!isHolder(root)) return true
  let isWellFormed = true
  let place = ON_MESSAGE
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
        if ((known & place) === 0 && !note(key, places, known | place)) isWellFormed = false
      }
    }
    place = IN_MESSAGE
  }
  return isWellFormed
}

/** False: the key is not well-formed. */
function note(key: string, places: Places, seen: number): boolean {
  if (!key.isWellFormed()) return false
  if (places.size < MAX_KEYS) places.set(key, seen)
  return true
}

/** Bytes have no strings in them, only very many keys. */
function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
}
