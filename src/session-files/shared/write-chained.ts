/**
 * Writes a repaired conversation back into records that form a chain by parent ids: new records get a parent,
 * children of a removed record get the record before it. All other links stay.
 */
import { type JsonObject, withKey } from '../../core/index.ts'
import { text } from '../json-values.ts'
import type { FileRecord, RecordEdit, SessionFile } from '../types.ts'
import { lineOf } from './line.ts'
import type { LinkKeys } from './linked.ts'
import type { ChangedPart } from './part-changes.ts'
import { movedInChain, type Sequence, type SequenceItem } from './sequence.ts'

export interface ChainedRecords {
  readonly keys: LinkKeys
  /** The record with other parts. */
  withParts(value: unknown, parts: readonly ChangedPart[]): unknown
  /** A new record after `before`; `parent` is the id of the record it is linked to. */
  create(
    item: SequenceItem,
    before: FileRecord | undefined,
    parent: string | null,
  ): { readonly id: string; readonly value: unknown }
  /** The parent of a new record, if not the record before it: the call of a result. */
  parentFor?(item: SequenceItem, before: FileRecord | undefined): FileRecord | undefined
  /** Both are lines of one answer, or a result and its call: their links stay. */
  isSibling?(child: FileRecord, parent: FileRecord | undefined): boolean
  /** Keys with ids of records, other than the parent. An id of a removed record becomes that of the one before it. */
  readonly references?: readonly string[]
  /** A reference to a removed record without one before it becomes null. Default: it stays. */
  readonly hasNullReferences?: boolean
  /** The agent continues the last record of the file: the end of the conversation is written there. */
  readonly endsWithFile?: boolean
}

/** `path`: the records of the conversation in order, with those between them that carry no message. */
export function writeChained(
  file: SessionFile,
  path: readonly FileRecord[],
  sequence: Sequence,
  chain: ChainedRecords,
): readonly RecordEdit[] {
  return new ChainWriter(file, path, sequence, chain).run()
}

interface Inserted {
  readonly after: number
  value: unknown
}

class ChainWriter {
  private readonly values = new Map<number, unknown>()
  private readonly inserted: Inserted[] = []
  /** Records of the path, and new ones, by the parent that they have now. */
  private readonly children = new Map<string | null, Set<number | Inserted>>()
  /** A record with an id that exists is never inserted: nothing is written then. */
  private hasNewIds = true
  private readonly newIds = new Set<string>()
  private readonly removed: Set<number>
  private readonly byId = new Map<string, FileRecord>()
  private readonly order: ReadonlyMap<number, number>
  private readonly file: SessionFile
  private readonly items: readonly SequenceItem[]
  private readonly chain: ChainedRecords
  /** The first and the last place of the path in the file. */
  private readonly first: number
  private readonly last: number

  constructor(file: SessionFile, path: readonly FileRecord[], { items, removed }: Sequence, chain: ChainedRecords) {
    this.file = file
    this.items = items
    this.chain = chain
    this.removed = new Set(removed)
    this.order = new Map(path.map(({ index }, place) => [index, place]))
    this.first = path.reduce((least, { index }) => Math.min(least, index), file.records.length)
    this.last = path.reduce((most, { index }) => Math.max(most, index), -1)
    for (const record of file.records) {
      const id = this.idOf(record.value)
      if (id !== undefined && !(this.stays(this.byId.get(id)) && !this.stays(record))) this.byId.set(id, record)
    }
    this.openCircle(path[0])
    for (const { index } of path) this.childrenOf(this.parentOf(this.value(index))).add(index)
  }

  /**
   * The agent stops at a record whose parent comes after it. Without that parent the path has a beginning that can be
   * moved.
   */
  private openCircle(root: FileRecord | undefined): void {
    const { parent } = this.chain.keys
    const id = text(root?.value, parent)
    const above = id === undefined ? undefined : this.byId.get(id)
    if (root && above && this.order.has(above.index))
      this.values.set(root.index, withKey(root.value as JsonObject, parent, null))
  }

  private idOf(value: unknown): string | undefined {
    return text(value, this.chain.keys.id)
  }

  private parentOf(value: unknown): string | null {
    return text(value, this.chain.keys.parent) ?? null
  }

  private childrenOf(parent: string | null): Set<number | Inserted> {
    const known = this.children.get(parent)
    if (known) return known
    const list = new Set<number | Inserted>()
    this.children.set(parent, list)
    return list
  }

  run(): readonly RecordEdit[] {
    for (const item of this.items)
      if (item.record !== undefined && item.changed)
        this.values.set(item.record, this.chain.withParts(this.value(item.record), item.parts))
    this.unlinkRemoved()
    this.placeMoved()
    this.addNew()
    return this.hasNewIds && (!this.chain.endsWithFile || this.placeEnd()) ? this.changes() : []
  }

  /**
   * Without the last record of the file, or with others in its place, the agent may continue another branch. Then the
   * end of the conversation moves there. False if nothing of the conversation is left.
   */
  private placeEnd(): boolean {
    const ends = this.ends()
    const end = ends.at(-1)
    if (end === undefined) return false
    if (new Set(ends.map((one) => this.idOf(this.valueOf(one)))).size > 1 || this.newest() === end) return true
    if (typeof end === 'number') this.removed.add(end)
    else this.inserted.splice(this.inserted.indexOf(end), 1)
    this.inserted.push({ after: this.last, value: this.valueOf(end) })
    return true
  }

  /** The records that are the parent of no other: one, or fragments with one id, unless a link leads to no entry. */
  private ends(): readonly (number | Inserted)[] {
    const isLeft = (one: number | Inserted) => typeof one !== 'number' || !this.removed.has(one)
    return [...this.order.keys(), ...this.inserted].filter(isLeft).filter((one) => {
      const id = this.idOf(this.valueOf(one))
      return id !== undefined && ![...this.childrenOf(id)].some(isLeft)
    })
  }

  /** The record that the agent continues. It looks at no record after the last one of the conversation. */
  private newest(): number | Inserted | undefined {
    const record = this.file.records.findLast(
      ({ index, value }) => index <= this.last && !this.removed.has(index) && this.idOf(value) !== undefined,
    )
    const inserted = this.inserted.toSorted((a, b) => a.after - b.after).at(-1)
    return inserted && inserted.after >= (record?.index ?? -1) ? inserted : record?.index
  }

  private valueOf(one: number | Inserted): unknown {
    return typeof one === 'number' ? this.value(one) : one.value
  }

  /** On the path, and not removed. Of several records with one id such a one counts: the id is then not gone. */
  private stays(record: FileRecord | undefined): boolean {
    return record !== undefined && this.order.has(record.index) && !this.removed.has(record.index)
  }

  private value(index: number): unknown {
    return this.values.has(index) ? this.values.get(index) : this.file.records[index]!.value
  }

  private link(child: number | Inserted, parent: string | null): void {
    const value = this.valueOf(child)
    const was = this.parentOf(value)
    const linked = withKey(value as JsonObject, this.chain.keys.parent, parent)
    if (typeof child === 'number') this.values.set(child, linked)
    else child.value = linked
    if (typeof child === 'number' && !this.order.has(child)) return
    this.childrenOf(was).delete(child)
    this.childrenOf(parent).add(child)
  }

  /** The nearest ancestor that stays. */
  private surviving(id: string): string | null {
    let at: string | null = id
    const seen = new Set<string>()
    while (at !== null && !seen.has(at)) {
      seen.add(at)
      const record = this.byId.get(at)
      if (!record || !this.removed.has(record.index)) return at
      at = this.parentOf(record.value)
    }
    return at
  }

  private unlinkRemoved(): void {
    if (this.removed.size === 0) return
    for (const { index, value } of this.file.records) {
      if (this.removed.has(index)) continue
      const next = this.replacementOf(this.parentOf(value))
      if (next !== undefined) this.link(index, next)
      for (const key of this.chain.references ?? []) {
        const to = this.replacementOf(text(value, key))
        if (to !== undefined && (to !== null || this.chain.hasNullReferences))
          this.values.set(index, withKey(this.value(index) as JsonObject, key, to))
      }
    }
  }

  /** The nearest ancestor that stays, of a removed record; undefined if the record is not removed. */
  private replacementOf(id: string | null | undefined): string | null | undefined {
    const record = typeof id === 'string' ? this.byId.get(id) : undefined
    return record && this.removed.has(record.index) ? this.surviving(id!) : undefined
  }

  private placeMoved(): void {
    const moved = movedInChain(this.items, this.order)
    this.items.forEach((item, place) => {
      if (item.record === undefined || !moved.has(item.record)) return
      const before = this.before(place)
      const own = this.idOf(this.file.records[item.record]!.value)!
      this.relinkChildren(own, this.parentOf(this.value(item.record)), [])
      const parent = before ? this.idOf(before.value)! : null
      this.relinkChildren(parent, own, [item.record])
      this.link(item.record, parent)
    })
  }

  private before(place: number): FileRecord | undefined {
    for (let at = place - 1; at >= 0; at--) {
      const record = this.items[at]!.record
      if (record !== undefined) return this.file.records[record]
    }
    return undefined
  }

  private addNew(): void {
    let previous: { place: number; id: string } | undefined
    this.items.forEach((item, place) => {
      if (item.record !== undefined) return
      const before = this.before(place)
      const own = this.chain.parentFor?.(item, before)
      const after = own ?? before
      const chained = previous?.place === place - 1 && !own ? previous.id : undefined
      const parent = chained ?? (after ? this.idOf(after.value)! : this.parentOfRoot())
      const { id, value } = this.chain.create(item, after ?? this.file.records[this.first], parent)
      if (this.byId.has(id) || this.newIds.has(id)) this.hasNewIds = false
      this.newIds.add(id)
      this.relinkChildren(parent, id, [])
      const added = { after: after?.index ?? this.first - 1, value }
      this.inserted.push(added)
      this.childrenOf(parent).add(added)
      previous = { place, id }
    })
  }

  /** The parent of the first record may be in another file; a new first record gets the same parent. */
  private parentOfRoot(): string | null {
    const [root] = this.order.keys()
    const parent = root === undefined ? null : this.parentOf(this.value(root))
    return parent !== null && this.byId.has(parent) ? null : parent
  }

  /** Gives the children of `parent` on the path the parent `next`. Lines of the same answer and results keep theirs. */
  private relinkChildren(parent: string | null, next: string | null, except: readonly number[]): void {
    for (const child of [...this.childrenOf(parent)]) {
      if (typeof child !== 'number') {
        if (parent !== null && !this.chain.parentFor && this.idOf(child.value) !== next) this.link(child, next)
        continue
      }
      if (this.removed.has(child) || except.includes(child)) continue
      if (next !== null && this.idOf(this.file.records[child]!.value) === next) continue
      if (!this.staysAt(child, parent)) this.link(child, next)
    }
  }

  private staysAt(index: number, parent: string | null): boolean {
    return (
      parent !== null &&
      this.chain.parentFor !== undefined &&
      this.chain.isSibling?.(this.file.records[index]!, this.byId.get(parent)) === true
    )
  }

  private changes(): readonly RecordEdit[] {
    const changes: RecordEdit[] = []
    for (const [record, value] of this.values)
      if (!this.removed.has(record)) changes.push({ op: 'replace', record, bytes: lineOf(value) })
    for (const record of this.removed) changes.push({ op: 'remove', record })
    for (const { after, value } of this.inserted) changes.push({ op: 'insert', after, bytes: lineOf(value) })
    return changes
  }
}
