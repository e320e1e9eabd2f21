/**
 * Which keys of interest occur in a history, and which messages have a string that is not well-formed Unicode.
 * One walk visits every value.
 */

/** More than any message has: a value that holds itself must not stop the walk from ending. */
const MAX_STEPS = 10_000_000
/** Keys beyond this number share a flag: such a key may then seem to occur when it does not. */
const FLAGS = 30
/** The flag of all keys that are not of interest. It is always set: any of them may occur. */
const OTHER = 1 << FLAGS

/** The keys that a set of rules looks for, each with a flag. Made once for the set. */
export class KeyFlags {
  private readonly flags = new Map<string, number>()
  /** By first letter the lengths of the keys, as bits: most keys of a history need no look into the map. */
  private readonly lengths = new Int32Array(32)

  constructor(keys: Iterable<string>) {
    for (const key of keys) {
      if (!this.flags.has(key)) this.flags.set(key, 1 << (this.flags.size % FLAGS))
      this.lengths[key.charCodeAt(0) & 31]! |= 1 << (key.length & 31)
    }
  }

  /** The flag of a key; 0: it is not of interest. */
  get(key: string): number {
    if ((this.lengths[key.charCodeAt(0) & 31]! & (1 << (key.length & 31))) === 0) return 0
    return this.flags.get(key) ?? 0
  }

  all(keys: readonly string[]): number {
    let flags = 0
    for (let i = 0; i < keys.length; i++) flags |= this.flags.get(keys[i]!) ?? OTHER
    return flags
  }
}

const NO_FLAGS = new KeyFlags([])

/** A history before an edit, and for each message after it the index that it had; -1: it is new. */
export interface EditedHistory {
  readonly history: readonly unknown[]
  readonly keys: KeyIndex
  readonly origins: readonly number[]
}

export class KeyIndex {
  /** Messages with a string or a key that has half of a surrogate pair. */
  readonly illFormed: readonly number[]
  /** Flags of the keys in the history, and of those that a message itself has. */
  anywhere = OTHER
  onMessages = OTHER
  private readonly flags: KeyFlags

  /** After an edit only messages that are not the same object are walked, and keys that the edit removed stay. */
  constructor(history: readonly unknown[], flags = NO_FLAGS, before?: EditedHistory) {
    this.flags = flags
    if (before) {
      this.anywhere = before.keys.anywhere
      this.onMessages = before.keys.onMessages
    }
    const wasIllFormed = before && new Set(before.keys.illFormed)
    const illFormed: number[] = []
    const stack: unknown[] = []
    for (let i = 0; i < history.length; i++) {
      const origin = before?.origins[i] ?? -1
      const isSame = origin >= 0 && before?.history[origin] === history[i]
      const isWellFormed = isSame ? !wasIllFormed!.has(origin) : this.walk(history[i], stack)
      if (!isWellFormed) illFormed.push(i)
    }
    this.illFormed = illFormed
  }

  /** False: no message, and nothing in one, has one of these keys. */
  mayHave(keys: readonly string[]): boolean {
    return (this.anywhere & this.flags.all(keys)) !== 0
  }

  /** False: no message itself has one of these keys. */
  mayHaveOnMessage(keys: readonly string[]): boolean {
    return (this.onMessages & this.flags.all(keys)) !== 0
  }

  /**
   * Notes the keys of a message and those in it. True if every string and every key is well-formed.
   * Content may be nested a hundred thousand deep, so the walk has a stack. All messages share it, because a list that
   * grows is copied.
   */
  private walk(root: unknown, stack: unknown[]): boolean {
    if (typeof root === 'string') return root.isWellFormed()
    if (!isHolder(root)) return true
    const { flags } = this
    let isWellFormed = true
    let found = 0
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
          const flag = flags.get(key)
          if (flag !== 0) found |= flag
          else isWellFormed &&= key.isWellFormed()
        }
      }
      if (n === 0) this.onMessages |= found
    }
    this.anywhere |= found
    return isWellFormed
  }
}

/** Whether every string and every key of a value, and below it, is well-formed. */
export function isWellFormedDeep(value: unknown): boolean {
  return new KeyIndex([value]).illFormed.length === 0
}

/** An object or a list that may hold strings. Bytes hold none, only very many keys. */
export function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
}
