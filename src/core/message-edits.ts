/**
 * What each message loses, gains and becomes while the fixes of a pass are collected.
 * Values stay native. What several rules do to one part or key adds up; the first to write a thing wins.
 */
import type { Change, Dialect } from './dialect.ts'
import { isObject, valueAt, withKey, withValueAt } from './json.ts'
import type { Part } from './part.ts'

interface PartEdit {
  /** By what they write, so that a second one for the same thing is not made. */
  writes: Map<string, (value: unknown) => unknown> | undefined
  /** Taken out of its place, for good or to be put elsewhere. */
  removed: boolean
  /** It goes into a message of its own right after this one. */
  splitOut: boolean
  id: string | undefined
  name: string | undefined
}

/** Most edits of a message are of one kind: what they do not need is not made. */
interface MessageEdit {
  parts: Map<Part, PartEdit> | undefined
  keys: Map<string, unknown> | undefined
  /** Other messages in its place; `undefined` in it: removed. */
  replaced: { readonly value: unknown; readonly more: readonly unknown[] } | undefined
  /** Results that go before this message's other blocks. */
  head: readonly unknown[]
  /** Messages right after this one: results first, then notes, then others. */
  readonly results: unknown[]
  readonly notes: unknown[]
  readonly inserts: (() => unknown)[]
  /** It is somewhere else from now on. */
  moved: boolean
  /** It is joined to the message before it. */
  merged: boolean
}

/** The key of edits before the first message. */
export const BEGINNING = -1

const REMOVED = Symbol('removed')
const NONE: readonly unknown[] = []

export class MessageEdits {
  private readonly edits = new Map<number, MessageEdit>()
  private readonly dialect: Dialect
  private readonly history: readonly unknown[]

  constructor(dialect: Dialect, history: readonly unknown[]) {
    this.dialect = dialect
    this.history = history
  }

  /** Messages that change, in order. */
  touched(): readonly number[] {
    return [...this.edits.keys()].sort((a, b) => a - b)
  }

  at(index: number): MessageEdit {
    let edit = this.edits.get(index)
    if (!edit) {
      edit = {
        parts: undefined,
        keys: undefined,
        replaced: undefined,
        head: NONE,
        results: [],
        notes: [],
        inserts: [],
        moved: false,
        merged: false,
      }
      this.edits.set(index, edit)
    }
    return edit
  }

  part(part: Part): PartEdit {
    const message = this.at(part.message)
    message.parts ??= new Map()
    let edit = message.parts.get(part)
    if (!edit) {
      edit = { writes: undefined, removed: false, splitOut: false, id: undefined, name: undefined }
      message.parts.set(part, edit)
    }
    return edit
  }

  /** Sets a key of a message, unless another fix has set it. */
  setKey(index: number, key: string, value: unknown): void {
    const message = this.at(index)
    message.keys ??= new Map()
    if (!message.keys.has(key)) message.keys.set(key, value)
  }

  find(part: Part): PartEdit | undefined {
    return this.edits.get(part.message)?.parts?.get(part)
  }

  isMerged(index: number): boolean {
    return this.edits.get(index)?.merged ?? false
  }

  write(part: Part, change: Change): void {
    const edit = this.part(part)
    const [what] = Object.keys(change) as [string]
    edit.writes ??= new Map()
    if (edit.writes.has('*') || edit.writes.has(what)) return
    if ('id' in change) edit.id = change.id
    if ('name' in change) edit.name = change.name
    edit.writes.set(what, (value) => this.dialect.write(part, value, change))
  }

  setPart(part: Part, key: string, now: unknown): void {
    const edit = this.part(part)
    edit.writes ??= new Map()
    if (!edit.writes.has('*') && !edit.writes.has(`key ${key}`))
      edit.writes.set(`key ${key}`, (value) => (isObject(value) ? withKey(value, key, now) : value))
  }

  replacePart(part: Part, now: unknown): void {
    const edit = this.part(part)
    edit.writes ??= new Map([['*', () => now]])
  }

  /** Whether parts of this message go into messages after it. */
  isSplit(index: number): boolean {
    for (const { splitOut } of this.edits.get(index)?.parts?.values() ?? []) if (splitOut) return true
    return false
  }

  /** The id and name that the part will have. */
  renamed(part: Part): Part {
    const edit = this.find(part)
    if (edit?.id === undefined && edit?.name === undefined) return part
    return Object.assign(Object.create(Object.getPrototypeOf(part)), part, {
      id: edit.id ?? part.id,
      name: edit.name ?? part.name,
    }) as Part
  }

  /** The native value with everything written to it. */
  valueOf(part: Part): unknown {
    let { value } = part
    for (const write of this.find(part)?.writes?.values() ?? []) value = write(value)
    return value
  }

  /** Messages that come right after this one. */
  following(index: number): readonly unknown[] {
    const edit = this.at(index)
    if (index === BEGINNING) return edit.inserts.map((insert) => insert())
    return [
      ...(edit.replaced?.more ?? []),
      this.splitOut(edit, true, this.dialect.textMessage('assistant', '')),
      ...edit.results,
      ...edit.notes,
      this.splitOut(edit, false, this.history[index]),
      ...edit.inserts.map((insert) => insert()),
    ].filter((value) => value !== undefined)
  }

  /** The message itself with all its changes; undefined: it is gone. `emptied`: nothing was left of it. */
  changed(index: number): { readonly message: unknown; readonly emptied: boolean } {
    const edit = this.at(index)
    const original = this.history[index]
    if (edit.replaced) return { message: edit.replaced.value, emptied: false }
    let message = this.editParts(original, edit)
    if (isObject(message)) for (const [key, value] of edit.keys ?? []) message = withKey(message as object, key, value)
    if (message === original || message === undefined) return { message, emptied: false }
    // A text under another key may be the only copy.
    const cleaned = this.dialect.cleanUp(message, original) ?? this.withOtherText(message)
    return { message: cleaned, emptied: cleaned === undefined }
  }

  private withOtherText(message: unknown): unknown {
    return this.dialect.foreignText?.(message) ? message : undefined
  }

  /** The calls, or the other parts, that leave their message, in a message made from this one. */
  private splitOut(edit: MessageEdit, calls: boolean, from: unknown): unknown {
    const parts: Part[] = []
    for (const [part, { splitOut, removed }] of edit.parts ?? [])
      if (splitOut && !removed && (part.kind === 'call') === calls) parts.push(part)
    if (parts.length === 0) return undefined
    const values = parts.sort((a, b) => a.index - b.index).map((part) => this.valueOf(part))
    return this.dialect.cleanUp(withValueAt(from, parts[0]!.list, values))
  }

  private editParts(message: unknown, edit: MessageEdit): unknown {
    let result = message
    const lists = new Map<readonly string[], unknown[]>()
    for (const [part, { removed, splitOut }] of edit.parts ?? []) {
      const value = removed || splitOut ? REMOVED : this.valueOf(part)
      if (part.index < 0) result = editWhole(result, part, value)
      else if (lists.has(part.list)) lists.get(part.list)![part.index] = value
      else lists.set(part.list, (valueAt(message, part.list) as unknown[]).with(part.index, value))
      if (result === undefined) return undefined
    }
    for (const [list, values] of lists) result = editList(result, list, values)
    const { blocks = [] } = this.dialect
    if (edit.head.length === 0) return result
    return withValueAt(result, blocks, edit.head.concat(valueAt(result, blocks) ?? []))
  }
}

function editWhole(message: unknown, { list, value: was }: Part, value: unknown): unknown {
  if (value !== REMOVED) return withValueAt(message, list, value)
  return list.length === 0 ? undefined : withValueAt(message, list, typeof was === 'string' ? '' : [])
}

function editList(message: unknown, list: readonly string[], values: readonly unknown[]): unknown {
  const was = valueAt(message, list) as readonly unknown[]
  if (values.every((value, i) => value === was[i])) return message
  return withValueAt(
    message,
    list,
    values.filter((value) => value !== REMOVED),
  )
}
