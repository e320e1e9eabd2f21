/**
 * Edits to a history, as values: applied, undone, stored.
 * Knows JSON and nothing of conversations; copies only the way down to what changes.
 */
import { SutureError } from './error.ts'
import { copyOf, equal, isObject, type Path, pointer, put } from './json.ts'
import { checkValue, given } from './options.ts'

/** One change of a history or request body, as JSON. */
export type Edit =
  | {
      readonly op: 'splice'
      readonly path: Path
      readonly index: number
      readonly remove: readonly unknown[]
      readonly insert: readonly unknown[]
    }
  /** `was` absent: there was no such key. `now` absent: there will be none. */
  | { readonly op: 'set'; readonly path: Path; readonly key: string; readonly was?: unknown; readonly now?: unknown }

/** Edits in order. Each is made for the result of those before it. */
export type Patch = readonly Edit[]

/** The history after the patch. An empty patch returns the same value; a patch made for another history is rejected. */
export function apply<T>(history: T, patch: Patch): T {
  checkValue('A patch', patch, 'list', 'Pass the `patch` that came with a repair or a plan, or the `fix` of a finding.')
  if (patch.length === 0) return history
  const root = new Open(history)
  for (const edit of patch) applyOne(root, edit)
  return root.close() as T
}

/** The patch that takes this one back. Needs no history: an edit carries what it takes out. */
export function invert(patch: Patch): Patch {
  checkValue('A patch', patch, 'list', 'Pass the `patch` that came with a repair or a plan.')
  return patch.map(undo).reverse()
}

function undo(edit: Edit): Edit {
  checkEdit(edit)
  if (edit.op === 'set') return setting(edit.path, edit.key, edit.now, edit.was)
  return { ...edit, remove: edit.insert, insert: edit.remove }
}

/** The edit that sets a key. A side that is undefined is left out: there is no such key. */
export function setting(path: Path, key: string, was: unknown, now: unknown): Edit {
  return { op: 'set', path, key, ...(was !== undefined && { was }), ...(now !== undefined && { now }) }
}

/** Patches are stored and sent as JSON: one that is not whole must be named as such. */
function checkEdit(edit: unknown): void {
  const { op, path, key, index, remove, insert } = isObject(edit) ? edit : {}
  const isSet = op === 'set' && typeof key === 'string'
  const isSplice = op === 'splice' && typeof index === 'number' && Array.isArray(remove) && Array.isArray(insert)
  const isPath = Array.isArray(path) && path.every((step) => typeof step === 'string' || typeof step === 'number')
  if (isPath && (isSet || isSplice)) return
  throw new SutureError(
    'bad-option',
    `An edit of a patch is { op: 'splice', path, index, remove, insert } or { op: 'set', path, key, was, now }, but got ${given(edit)}.`,
  )
}

function applyOne(root: Open, edit: Edit): void {
  checkEdit(edit)
  let target = root
  for (const step of edit.path) target = target.child(step, edit)
  if (edit.op === 'set') target.set(edit)
  else target.splice(edit)
}

function stale(edit: Edit, found: string): SutureError {
  const where = pointer(edit.op === 'set' ? [...edit.path, edit.key] : [...edit.path, edit.index])
  return new SutureError(
    'stale-patch',
    `The patch does not fit this history: at ${where || 'the root'} ${found}. Repair the history you have, or apply the patch to the one it was made for.`,
    { at: where },
  )
}

/**
 * A container opened for writing. Arrays are kept as two stacks around the place of the last edit, so that a patch
 * that walks through a million messages in either direction moves each of them once, not once an edit.
 * One child at a time is open: edits of one place come one after the other.
 */
class Open {
  readonly #original: unknown
  #object: Record<string, unknown> | undefined
  /**
   * Elements before the last edit; undefined while edits only go to the left: then they are the original up to `cut`.
   * `tail` has the elements after it, in reverse.
   */
  #head: unknown[] | undefined
  #cut = -1
  readonly #tail: unknown[] = []
  #child: Open | undefined
  #step: string | number | undefined

  constructor(original: unknown) {
    this.#original = original
  }

  child(step: string | number, edit: Edit): Open {
    if (this.#child && this.#step === step) return this.#child
    this.#closeChild()
    this.#child = new Open(typeof step === 'number' ? this.#moveTo(step, edit).at(-1) : this.#opened(edit)[step])
    this.#step = step
    return this.#child
  }

  set(edit: Extract<Edit, { op: 'set' }>): void {
    this.#closeChild()
    const target = this.#opened(edit)
    const was = Object.hasOwn(target, edit.key) ? target[edit.key] : undefined
    if (!equal(was, edit.was)) throw stale(edit, 'there is another value')
    // A key with the value undefined is absent, as in JSON, so the new key comes last.
    if (was === undefined || edit.now === undefined) delete target[edit.key]
    if (edit.now !== undefined) put(target, edit.key, edit.now)
  }

  splice(edit: Extract<Edit, { op: 'splice' }>): void {
    this.#closeChild()
    const tail = this.#moveTo(edit.index, edit)
    for (const expected of edit.remove) {
      if (tail.length === 0 || !equal(tail.pop(), expected)) throw stale(edit, 'there is something else')
    }
    for (let i = edit.insert.length - 1; i >= 0; i--) tail.push(edit.insert[i])
  }

  close(): unknown {
    this.#closeChild()
    if (this.#object || this.#cut < 0) return this.#object ?? this.#original
    return this.#headOf(this.#original as unknown[]).concat(this.#tail.reverse())
  }

  #headOf(original: unknown[]): unknown[] {
    this.#head ??= original.slice(0, this.#cut)
    return this.#head
  }

  #closeChild(): void {
    if (!this.#child) return
    if (this.#object) put(this.#object, this.#step as string, this.#child.close())
    else this.#tail[this.#tail.length - 1] = this.#child.close()
    this.#child = undefined
  }

  #opened(edit: Edit): Record<string, unknown> {
    if (!isObject(this.#original)) throw stale(edit, 'there is no object')
    this.#object ??= copyOf(this.#original) as Record<string, unknown>
    return this.#object
  }

  #moveTo(index: number, edit: Edit): unknown[] {
    const original = this.#original
    if (!Array.isArray(original)) throw stale(edit, 'there is no list')
    const tail = this.#tail
    if (this.#cut < 0) this.#cut = original.length
    if (!this.#head) while (this.#cut > index && this.#cut > 0) tail.push(original[--this.#cut])
    if (!this.#head && this.#cut === index) return tail
    const head = this.#headOf(original)
    while (head.length > index && head.length > 0) tail.push(head.pop())
    while (head.length < index && tail.length > 0) head.push(tail.pop())
    if (head.length !== index) throw stale(edit, 'the list is shorter')
    return tail
  }
}
