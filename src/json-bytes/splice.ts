/**
 * Writes a changed JSON value into the bytes it was parsed from: every value with an unchanged reference keeps its
 * bytes. Prompt caches match bytes, so numbers, escapes and white space outside the change stay as they were written.
 */
import { type Elements, elementsOf, type JsonObject, type Members, membersOf } from './members.ts'
import { startOf } from './scan.ts'

export interface Spliced {
  readonly bytes: Uint8Array
  /** Number of leading bytes that are the same as in the original. */
  readonly prefix: number
  /** Part of the value could not be spliced (a repeated key) and was serialized again. */
  readonly rewritten: boolean
}

export interface SpliceOptions {
  /** The member that holds a long array; its elements are located in the first pass. */
  readonly arrayKey?: string
  /** Serializes new values. Default: `JSON.stringify`. */
  readonly stringify?: (value: unknown) => string | undefined
}

/** `now` as bytes, made from the bytes that `was` was parsed from. */
export function splice(
  bytes: Uint8Array,
  was: JsonObject,
  now: JsonObject,
  { arrayKey: key, stringify = JSON.stringify }: SpliceOptions = {},
): Spliced {
  // A value that JSON cannot represent is null in an array.
  const textOf = (value: unknown) => stringify(value) ?? 'null'
  const writer = new Writer(bytes, textOf)
  try {
    writer.root(was, now, key)
    return writer.result()
  } catch (error) {
    // The scanner relies on JSON.parse; if they ever disagree, serialize everything.
    if (!(error instanceof RangeError)) throw error
    return { bytes: encoder.encode(textOf(now)), prefix: 0, rewritten: true }
  }
}

const encoder = new TextEncoder()

/** A changed value below this depth is serialized again. */
const MAX_DEPTH = 60

class Writer {
  private readonly source: Uint8Array
  private readonly textOf: (value: unknown) => string
  /** Kept ranges as [start, end], new text as bytes. */
  private readonly pieces: (Uint8Array | [number, number])[] = []
  /** New text that no kept range has followed yet: encoding it piece by piece would cost more than all the rest. */
  private pending = ''
  private rewritten = false

  constructor(source: Uint8Array, textOf: (value: unknown) => string) {
    this.source = source
    this.textOf = textOf
  }

  root(was: JsonObject, now: JsonObject, key: string | undefined): void {
    const start = startOf(this.source)
    const members = membersOf(this.source, start, was, key)
    this.keep(0, start)
    if (!members) this.rewrite(now)
    else this.object(was, now, start, members, key)
    if (members) this.keep(members.end, this.source.length)
  }

  result(): Spliced {
    this.flush()
    const { pieces, source, rewritten } = this
    const parts = pieces.map((piece) => (piece instanceof Uint8Array ? piece : source.subarray(...piece)))
    const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const part of parts) {
      bytes.set(part, at)
      at += part.length
    }
    const [first] = pieces
    const prefix = first && !(first instanceof Uint8Array) && first[0] === 0 ? first[1] : 0
    return { bytes, prefix, rewritten }
  }

  private value(was: unknown, now: unknown, start: number, end: number, depth: number): void {
    if (now === was) this.keep(start, end)
    else if (depth < MAX_DEPTH && isObject(was) && isObject(now)) this.inner(was, now, start, depth)
    else if (depth < MAX_DEPTH && Array.isArray(was) && Array.isArray(now))
      this.list(was, now, start, elementsOf(this.source, start, was), depth)
    else this.text(this.textOf(now))
  }

  private inner(was: JsonObject, now: JsonObject, start: number, depth: number): void {
    if (!Object.keys(was).some((key) => has(now, key))) {
      this.text(this.textOf(now))
      return
    }
    const members = membersOf(this.source, start, was)
    if (members) this.object(was, now, start, members, undefined, depth)
    else this.rewrite(now)
  }

  private object(was: JsonObject, now: JsonObject, start: number, members: Members, deep?: string, depth = 0): void {
    const { keys, starts, values, ends, elements, end } = members
    let last = -1
    let first = true
    for (const [i, key] of keys.entries()) {
      if (!has(now, key)) continue
      if (last + 1 === i) this.keep(i === 0 ? start : ends[last]!, starts[i]!)
      else this.text(first ? '{' : ',')
      this.keep(starts[i]!, values[i]!)
      if (key === deep && elements && Array.isArray(now[key]))
        this.list(was[key] as readonly unknown[], now[key], values[i]!, elements, depth + 1)
      else this.value(was[key], now[key], values[i]!, ends[i]!, depth + 1)
      last = i
      first = false
    }
    const added = Object.keys(now).filter((key) => !has(was, key) && has(now, key))
    for (const key of added) {
      this.text(`${first ? '{' : ','}${JSON.stringify(key)}:${this.textOf(now[key])}`)
      first = false
    }
    if (first) this.text('{')
    if (last >= 0 && last === keys.length - 1) this.keep(ends[last]!, end)
    else this.text('}')
  }

  private list(was: readonly unknown[], now: readonly unknown[], start: number, elements: Elements, depth: number) {
    const { starts, ends, end } = elements
    const places = new OldIndexes(was, now)
    let last = -1
    for (const [n, value] of now.entries()) {
      const i = places.of(value, last)
      if (n === 0) i === 0 ? this.keep(start, starts[0]!) : this.text('[')
      else if (last >= 0 && i === last + 1) this.keep(ends[last]!, starts[i]!)
      else this.text(',')
      if (i < 0) this.text(this.textOf(value))
      else this.value(was[i], value, starts[i]!, ends[i]!, depth + 1)
      if (i >= 0) last = i
    }
    if (now.length === 0) this.text('[')
    if (last >= 0 && last === was.length - 1) this.keep(ends[last]!, end)
    else this.text(']')
  }

  private rewrite(now: unknown): void {
    this.rewritten = true
    this.text(this.textOf(now))
  }

  private text(text: string): void {
    this.pending += text
  }

  private flush(): void {
    if (this.pending !== '') this.pieces.push(encoder.encode(this.pending))
    this.pending = ''
  }

  private keep(start: number, end: number): void {
    if (start === end) return
    if (this.pending !== '' && end === start + 1) {
      this.pending += String.fromCharCode(this.source[start]!)
      return
    }
    this.flush()
    const last = this.pieces.at(-1)
    if (last && !(last instanceof Uint8Array) && last[1] === start) last[1] = end
    else this.pieces.push([start, end])
  }
}

/** After this many misses a map is faster than a linear search. */
const MAX_SEARCHES = 200

/**
 * Which old element a new element is, or was made from; -1 for a new one. Not core's diff: that reports one replaced
 * range, and here every unchanged element inside the range keeps its bytes, also one that moved.
 */
class OldIndexes {
  private readonly was: readonly unknown[]
  private readonly now: readonly unknown[]
  private old: Map<unknown, number> | undefined
  private stays: Set<unknown> | undefined
  private missed = 0

  constructor(was: readonly unknown[], now: readonly unknown[]) {
    this.was = was
    this.now = now
  }

  of(value: unknown, last: number): number {
    const next = last + 1
    if (next < this.was.length && this.was[next] === value) return next
    if (typeof value !== 'object' || value === null) return -1
    if (++this.missed > MAX_SEARCHES) this.old ??= new Map(this.was.map((one, i) => [one, i]))
    const moved = this.old ? (this.old.get(value) ?? -1) : this.was.indexOf(value)
    if (moved >= 0) return moved
    // The old element at this place is gone: take it as the origin, so that equal parts keep their bytes.
    return next < this.was.length && !this.isKept(this.was[next]) ? next : -1
  }

  private isKept(value: unknown): boolean {
    if (this.missed > MAX_SEARCHES) this.stays ??= new Set(this.now)
    return this.stays ? this.stays.has(value) : this.now.includes(value)
  }
}

function has(value: JsonObject, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== undefined
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
