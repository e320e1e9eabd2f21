/**
 * Cuts JSON to a size: it stays JSON, the longest lists and largest strings lose their middles, and the rest keeps its
 * bytes (a number of twenty digits would not survive parsing and serializing).
 */
import { jsonText, orUndefined } from '../core/index.ts'
import { cutText, notices } from './shrink-text.ts'

interface Node {
  readonly kind: 'string' | 'list' | 'object' | 'plain'
  /** Where the entry begins: at its key, or at the value. */
  readonly lead: number
  readonly start: number
  readonly end: number
  readonly items: readonly Node[]
}

/** A value below this depth is kept or removed as a whole. */
const DEEP = 100
/** The value of a key is cut down to this length before the key is removed. */
const LEAST_VALUE = 32
/** An element of a list is removed before it is cut below this length. */
const LEAST_ITEM = 160

/** Whether a text is a JSON object or list; other JSON is cut as plain text. */
export function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && orUndefined(() => JSON.parse(text)) !== undefined
}

/** JSON text of at most `room` characters; if nothing fits, `{}`, `[]` or `""`. */
export function cutJson(text: string, room: number, hint: string): string {
  return jsonCutter(text, hint)(room)
}

/** The same for several sizes: the text is scanned once. */
export function jsonCutter(text: string, hint: string): (room: number) => string {
  const node = nodeAt(text, 0, 0)
  return (room) => (text.length <= room ? text : cutNode({ text, hint }, node, Math.max(room, 2)))
}

interface Source {
  readonly text: string
  readonly hint: string
}

function cutNode(source: Source, node: Node, room: number): string {
  const raw = source.text.slice(node.start, node.end)
  if (raw.length <= room) return raw
  switch (node.kind) {
    case 'string':
      return cutString(raw, room, source.hint)
    case 'plain':
      return quoted(raw.length, raw.length, 'characters', room, source.hint) ?? 'null'
    case 'list':
      return room < 40 ? '[]' : cutList(source, node, room - 2)
    case 'object':
      return room < 40 ? '{}' : cutObject(source, node, room - 2)
  }
}

function cutString(raw: string, room: number, hint: string): string {
  const text = JSON.parse(raw) as string
  const cut = isJson(text) ? jsonCutter(text, hint) : (inner: number) => cutText(text, inner, hint)
  for (let inner = room - 2; inner > 0; inner = Math.floor(inner * 0.8) - 1) {
    const written = jsonText(cut(inner))!
    if (written.length <= room) return written
  }
  return '""'
}

/** Large elements are cut; if there are too many, those in the middle are removed. */
function cutList(source: Source, { items }: Node, room: number): string {
  const sizes = items.map((item) => item.end - item.start + 1)
  const most = Math.max(LEAST_ITEM, Math.floor(room / 4))
  if (sum(sizes.map((size) => Math.min(size, most))) <= room) {
    const level = levelOf(sizes, room)
    return `[${items.map((item) => cutNode(source, item, level - 1)).join()}]`
  }
  const reserved = quoted(items.length, items.length, 'items', room / 2, source.hint)
  const ends = endsOf(sizes, most, room - (reserved?.length ?? 0) - 1)
  const write = (item: Node) => cutNode(source, item, most - 1)
  const left = items.length - ends.head - ends.tail
  const notice = quoted(left, items.length, 'items', room / 2, source.hint)
  const kept = [...items.slice(0, ends.head).map(write), ...(notice ? [notice] : [])]
  return `[${[...kept, ...items.slice(items.length - ends.tail).map(write)].join()}]`
}

/** How many elements of each end stay: two at the start for each one at the end. */
function endsOf(sizes: readonly number[], most: number, room: number): { head: number; tail: number } {
  let [head, tail, used] = [0, 0, 0]
  while (head + tail < sizes.length) {
    const atHead = head <= tail * 2
    const size = Math.min(sizes[atHead ? head : sizes.length - 1 - tail]!, most)
    if (used + size > room) break
    used += size
    if (atHead) head++
    else tail++
  }
  return { head, tail }
}

/** Values are cut; if that does not suffice, the last keys are removed. */
function cutObject(source: Source, { items }: Node, room: number): string {
  const keys = items.map((item) => item.start - item.lead + 1)
  const values = items.map((item) => item.end - item.start)
  const least = items.map((_, i) => keys[i]! + Math.min(values[i]!, LEAST_VALUE))
  const entry = (item: Node, size: number) =>
    source.text.slice(item.lead, item.start) + cutNode(source, item, Math.max(size, 2))
  if (sum(least) <= room) {
    const level = levelOf(values, room - sum(keys))
    return `{${items.map((item) => entry(item, level)).join()}}`
  }
  const reserved = keyNotice(items.length, items.length, room, source.hint).length + 1
  let [kept, used] = [0, 0]
  while (kept < items.length && used + least[kept]! <= room - reserved) used += least[kept++]!
  const entries = items.slice(0, kept).map((item) => entry(item, LEAST_VALUE))
  const notice = keyNotice(items.length - kept, items.length, room, source.hint)
  return `{${[...entries, ...(notice ? [notice] : [])].join()}}`
}

function keyNotice(left: number, of: number, room: number, hint: string): string {
  const text = quoted(left, of, 'keys', room / 2 - 4, hint)
  return text ? `"…":${text}` : ''
}

function quoted(left: number, of: number, unit: string, room: number, hint: string): string | undefined {
  return notices(left, of, unit, hint)
    .map((notice) => JSON.stringify(notice))
    .find((notice) => notice.length <= room && notice !== '""')
}

/** The maximum size of one element so that all of them fit: small ones stay whole. */
export function levelOf(sizes: readonly number[], room: number): number {
  const sorted = [...sizes].sort((a, b) => a - b)
  let rest = room
  for (let i = 0; i < sorted.length; i++) {
    const share = Math.floor(rest / (sorted.length - i))
    if (sorted[i]! > share) return share
    rest -= sorted[i]!
  }
  return Math.max(room, sorted.at(-1) ?? 0)
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0)
}

/** The value that begins here, in a text that is known to be JSON. */
function nodeAt(text: string, from: number, depth: number, lead?: number): Node {
  const start = skip(text, from)
  const node = (kind: Node['kind'], end: number, items: readonly Node[] = []): Node => ({
    kind,
    lead: lead ?? start,
    start,
    end,
    items,
  })
  const first = text[start]
  if (first === '"') return node('string', stringEnd(text, start))
  if (first !== '{' && first !== '[') return node('plain', plainEnd(text, start))
  if (depth >= DEEP) return node('plain', closing(text, start))
  const items: Node[] = []
  let at = skip(text, start + 1)
  while (text[at] !== '}' && text[at] !== ']') {
    const value = first === '{' ? skip(text, stringEnd(text, at)) + 1 : at
    const item = nodeAt(text, value, depth + 1, at)
    items.push(item)
    at = skip(text, item.end)
    if (text[at] === ',') at = skip(text, at + 1)
  }
  return node(first === '{' ? 'object' : 'list', at + 1, items)
}

function skip(text: string, from: number): number {
  let at = from
  while (' \n\r\t'.includes(text[at] ?? 'x')) at++
  return at
}

function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function plainEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && !',]} \n\r\t'.includes(text[at]!)) at++
  return at
}

/** The index after the bracket that closes the one at `start`. */
function closing(text: string, start: number): number {
  let [at, open] = [start, 0]
  do {
    const char = text[at]
    if (char === '"') at = stringEnd(text, at) - 1
    else if (char === '{' || char === '[') open++
    else if (char === '}' || char === ']') open--
    at++
  } while (open > 0)
  return at
}
