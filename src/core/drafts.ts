/**
 * Messages on their way to becoming others: what each loses, gains and is turned into.
 * Values stay native; a part is known by its reference, so what several rules do to one part adds up.
 */
import type { Dialect } from './dialect.ts'
import { valueAt, withValueAt } from './json.ts'
import type { Part } from './part.ts'

interface PartEdit {
  readonly writes: ((value: unknown) => unknown)[]
  /** Taken out of its place, for good or to stand elsewhere. */
  gone: boolean
  /** It stands in a copy of its message from now on, or, a call, in a message of the assistant's. */
  apart: boolean
  /** The id and the name it will have. */
  known: { readonly id?: string; readonly name?: string } | undefined
}

interface MessageEdit {
  readonly parts: Map<Part, PartEdit>
  readonly rewrites: ((message: unknown) => unknown)[]
  /** Results that stand at the head of this message's blocks from now on. */
  head: unknown[]
  /** Messages that come right behind this one: results first, then what else is inserted. */
  readonly results: unknown[]
  readonly inserts: (() => unknown)[]
  /** It stands elsewhere from now on. */
  moved: boolean
  /** Notes for results that left this message. */
  readonly notes: unknown[]
}

export class Drafts {
  /** Never used: decision 0021. */
  static readonly kept = new Drafts({} as Dialect, [])

  readonly #edits = new Map<number, MessageEdit>()
  readonly #dialect: Dialect
  readonly #history: readonly unknown[]

  constructor(dialect: Dialect, history: readonly unknown[]) {
    this.#dialect = dialect
    this.#history = history
  }

  /** Messages that change, in order. */
  touched(): number[] {
    return [...this.#edits.keys()].sort((a, b) => a - b)
  }

  at(index: number): MessageEdit {
    let edit = this.#edits.get(index)
    if (!edit) {
      edit = { parts: new Map(), rewrites: [], head: [], results: [], inserts: [], notes: [], moved: false }
      this.#edits.set(index, edit)
    }
    return edit
  }

  part(part: Part): PartEdit {
    const { parts } = this.at(part.message)
    let edit = parts.get(part)
    if (!edit) {
      edit = { writes: [], gone: false, apart: false, known: undefined }
      parts.set(part, edit)
    }
    return edit
  }

  find(part: Part): PartEdit | undefined {
    return this.#edits.get(part.message)?.parts.get(part)
  }

  /** Whether parts of this message will stand behind it. */
  isSplit(index: number): boolean {
    for (const { apart } of this.#edits.get(index)?.parts.values() ?? []) if (apart) return true
    return false
  }

  /** The part as it will be known. */
  renamed(call: Part): Part {
    const known = this.find(call)?.known
    return known ? { ...call, ...known } : call
  }

  /** The native value with everything written to it. */
  valueOf(part: Part): unknown {
    return (this.find(part)?.writes ?? []).reduce((value, write) => write(value), part.value)
  }

  /** What stands in the place of this message from now on, and behind it. `emptied`: it was left with nothing to say. */
  outcome(index: number): { message: unknown; emptied: boolean; behind: unknown[] } {
    const edit = this.at(index)
    const behind = [
      this.#apart(edit, true, this.#dialect.say('assistant', '')),
      ...edit.results,
      ...edit.notes,
      this.#apart(edit, false, this.#history[index]),
      ...edit.inserts.map((insert) => insert()),
    ].filter((value) => value !== undefined)
    return { ...(edit.moved ? { message: undefined, emptied: false } : this.changed(index)), behind }
  }

  /** The message itself with all its changes; undefined: it is gone. */
  changed(index: number): { message: unknown; emptied: boolean } {
    const edit = this.at(index)
    const original = this.#history[index]
    let message = this.#editParts(original, edit)
    for (const rewrite of edit.rewrites) message = message === undefined ? undefined : rewrite(message)
    if (message === original || message === undefined) return { message, emptied: false }
    const tidied = this.#dialect.tidy(message, original)
    return { message: tidied, emptied: tidied === undefined }
  }

  /** The calls, or the other parts, that stand apart from their message from now on, in one that is made from this. */
  #apart(edit: MessageEdit, calls: boolean, from: unknown): unknown {
    const parts: Part[] = []
    for (const [part, { apart, gone }] of edit.parts)
      if (apart && !gone && (part.kind === 'call') === calls) parts.push(part)
    if (parts.length === 0) return undefined
    const values = parts.sort((a, b) => a.index - b.index).map((part) => this.valueOf(part))
    return this.#dialect.tidy(withValueAt(from, parts[0]!.list, values))
  }

  #editParts(message: unknown, edit: MessageEdit): unknown {
    let result = message
    const lists = new Map<readonly string[], unknown[]>()
    for (const [part, { gone, apart }] of edit.parts) {
      const value = gone || apart ? GONE : this.valueOf(part)
      if (part.index < 0) result = editWhole(result, part, value)
      else if (lists.has(part.list)) lists.get(part.list)![part.index] = value
      else lists.set(part.list, (valueAt(message, part.list) as unknown[]).with(part.index, value))
      if (result === undefined) return undefined
    }
    for (const [list, values] of lists) result = editList(result, list, values)
    const { blocks = [] } = this.#dialect
    return edit.head.length > 0 ? withValueAt(result, blocks, edit.head.concat(valueAt(result, blocks) ?? [])) : result
  }
}

const GONE = Symbol('gone')

function editWhole(message: unknown, { list, value: was }: Part, value: unknown): unknown {
  if (value !== GONE) return withValueAt(message, list, value)
  return list.length === 0 ? undefined : withValueAt(message, list, typeof was === 'string' ? '' : [])
}

function editList(message: unknown, list: readonly string[], values: readonly unknown[]): unknown {
  const was = valueAt(message, list) as readonly unknown[]
  if (values.every((value, i) => value === was[i])) return message
  return withValueAt(
    message,
    list,
    values.filter((value) => value !== GONE),
  )
}
