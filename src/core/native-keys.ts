/**
 * One walk over every value of a history: which keys occur, and which messages hold a string that is not well-formed Unicode.
 * A rule about a rare key asks here first. The walk has a stack of its own: content may be nested a hundred thousand deep.
 */

export interface NativeKeys {
  /** Keys of the messages themselves. */
  readonly ofMessages: ReadonlySet<string>
  /** Keys of everything inside them: blocks, arguments, results. */
  readonly inside: ReadonlySet<string>
  /** Messages with a string or a key that holds half of a surrogate pair. */
  readonly illFormed: readonly number[]
}

/** More than any message has: a value that holds itself must not stop the walk from ending. */
const MAX_STEPS = 10_000_000

export function nativeKeys(history: readonly unknown[]): NativeKeys {
  const ofMessages = new Set<string>()
  const inside = new Set<string>()
  const illFormed: number[] = []
  for (let i = 0; i < history.length; i++) if (!walk(history[i], ofMessages, inside)) illFormed.push(i)
  return { ofMessages, inside, illFormed }
}

/** Whether every string and every key below is well-formed. */
export function isWellFormedDeep(root: unknown): boolean {
  const keys = new Set<string>()
  return walk(root, keys, keys)
}

const stack: unknown[] = []

/** Adds the keys to the sets. True if every string and every key is well-formed. */
function walk(root: unknown, rootKeys: Set<string>, innerKeys: Set<string>): boolean {
  if (typeof root === 'string') return root.isWellFormed()
  if (!isHolder(root)) return true
  let isWellFormed = true
  let keys = rootKeys
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
        if (keys.has(key)) continue
        if (key.isWellFormed()) keys.add(key)
        else isWellFormed = false
      }
    }
    keys = innerKeys
  }
  return isWellFormed
}

/** Bytes have no strings in them, only very many keys. */
function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
}
