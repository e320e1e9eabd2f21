/**
 * Edits to a history, as values: applied, undone, stored.
 * Knows JSON and nothing of conversations; copies only the way down to what changes.
 */
import { SutureError } from './error.ts'
import { copyOf, equal, isObject, type Path, pointer, put } from './json.ts'

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

/** Edits in order: each stands on what the ones before it left. */
export type Patch = readonly Edit[]

/** The history after the patch. An empty patch gives the very same value back; a patch made for another history is refused. */
export function apply<T>(history: T, patch: Patch): T {
  if (patch.length === 0) return history
  const root = new Open(history)
  for (const edit of patch) applyOne(root, edit)
  return root.close() as T
}

/** The patch that takes this one back. Needs no history: an edit carries what it takes out. */
export function invert(patch: Patch): Patch {
  return patch.map(undo).reverse()
}

function undo(edit: Edit): Edit {
  if (edit.op === 'splice') return { ...edit, remove: edit.insert, insert: edit.remove }
  const back: { op: 'set'; path: Path; key: string; was?: unknown; now?: unknown } = {
    op: 'set',
    path: edit.path,
    key: edit.key,
  }
  if (edit.now !== undefined) back.was = edit.now
  if (edit.was !== undefined) back.now = edit.was
  return back
}

function applyOne(root: Open, edit: Edit): void {
  const target = descend(root, edit)
  if (edit.op === 'set') target.set(edit)
  else target.splice(edit)
}

function descend(root: Open, edit: Edit): Open {
  let node = root
  for (const step of edit.path) node = node.child(step, edit)
  return node
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
 */
class Open {
  /** Never used: decision 0021. */
  static readonly kept = new Open(undefined)

  readonly original: unknown
  private object: Record<string, unknown> | undefined
  /** What stands left of the last edit; as long as edits only go to the left, the original up to `cut`. */
  private head: unknown[] | undefined
  private cut = -1
  private readonly tail: unknown[] = []
  /** Where in each of the two an opened child stands, so that nobody has to look at all the others. */
  private readonly inHead: number[] = []
  private readonly inTail: number[] = []

  constructor(original: unknown) {
    this.original = original
  }

  child(step: string | number, edit: Edit): Open {
    const target = typeof step === 'number' ? this.moveTo(step, edit) : this.opened(edit)
    const key = typeof step === 'number' ? this.tail.length - 1 : step
    const current = (target as Record<string | number, unknown>)[key]
    if (current instanceof Open) return current
    const node = new Open(current)
    if (typeof key === 'string') put(target, key, node)
    else if (key >= 0) {
      this.tail[key] = node
      this.inTail.push(key)
    }
    return node
  }

  set(edit: Extract<Edit, { op: 'set' }>): void {
    const target = this.opened(edit)
    const has = Object.hasOwn(target, edit.key) && target[edit.key] !== undefined
    if (has !== (edit.was !== undefined) || (has && !equal(closed(target[edit.key]), edit.was))) {
      throw stale(edit, 'another value stands there')
    }
    // A key that held undefined is not there, as JSON has it: the new one comes last, where it would after a detour through JSON.
    if (!has) delete target[edit.key]
    if (edit.now === undefined) delete target[edit.key]
    else put(target, edit.key, edit.now)
  }

  splice(edit: Extract<Edit, { op: 'splice' }>): void {
    const tail = this.moveTo(edit.index, edit)
    for (const expected of edit.remove) {
      if (this.inTail.length > 0 && this.inTail.at(-1) === tail.length - 1) this.inTail.pop()
      if (tail.length === 0 || !equal(closed(tail.pop()), expected)) throw stale(edit, 'something else stands there')
    }
    for (let i = edit.insert.length - 1; i >= 0; i--) tail.push(edit.insert[i])
  }

  close(): unknown {
    if (this.object) {
      for (const key of Object.keys(this.object)) {
        if (this.object[key] instanceof Open) put(this.object, key, closed(this.object[key]))
      }
      return this.object
    }
    if (this.cut < 0) return this.original
    if (!this.head) return this.closeTail()
    const { head } = this
    while (this.tail.length > 0) this.toHead(head)
    for (const at of this.inHead) head[at] = closed(head[at])
    return head
  }

  /** Both halves at once: pushed one by one, a long list would be copied over and over as it grows. */
  private closeTail(): unknown[] {
    const { tail } = this
    for (const at of this.inTail) tail[at] = closed(tail[at])
    return (this.original as unknown[]).slice(0, this.cut).concat(tail.reverse())
  }

  private opened(edit: Edit): Record<string, unknown> {
    if (this.object) return this.object
    if (!isObject(this.original)) throw stale(edit, 'there is no object')
    this.object = copyOf(this.original) as Record<string, unknown>
    return this.object
  }

  private moveTo(index: number, edit: Edit): unknown[] {
    const { original, tail } = this
    if (!Array.isArray(original)) throw stale(edit, 'there is no list')
    if (!Number.isInteger(index) || index < 0) throw stale(edit, 'there is no such place')
    if (this.cut < 0) this.cut = original.length
    if (!this.head && index <= this.cut) {
      while (this.cut > index) tail.push(original[--this.cut])
      return tail
    }
    const head = this.opensHead()
    while (head.length > index) this.toTail(head)
    while (head.length < index && tail.length > 0) this.toHead(head)
    if (head.length !== index) throw stale(edit, 'the list is shorter')
    return tail
  }

  private opensHead(): unknown[] {
    this.head ??= (this.original as unknown[]).slice(0, this.cut)
    return this.head
  }

  private toTail(head: unknown[]): void {
    if (this.inHead.length > 0 && this.inHead.at(-1) === head.length - 1) {
      this.inHead.pop()
      this.inTail.push(this.tail.length)
    }
    this.tail.push(head.pop())
  }

  private toHead(head: unknown[]): void {
    if (this.inTail.length > 0 && this.inTail.at(-1) === this.tail.length - 1) {
      this.inTail.pop()
      this.inHead.push(head.length)
    }
    head.push(this.tail.pop())
  }
}

function closed(value: unknown): unknown {
  return value instanceof Open ? value.close() : value
}
