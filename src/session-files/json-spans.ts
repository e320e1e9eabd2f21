/**
 * Where the elements of a list are in JSON bytes, without parsing what is around it.
 * Works on documents that are cut short or damaged: it reports what is complete and never throws.
 */
import type { Path } from '../core/index.ts'
import { fromJson } from './json-values.ts'
import { isSpace } from './salvage/bytes.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

export interface ListSpans {
  /** Complete elements. */
  readonly elements: readonly Span[]
  /** Directly after the opening bracket. */
  readonly open: number
  /** The closing bracket, or -1 if the bytes end first. */
  readonly close: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a

/** The list at this path of keys, if the document has one. `from`: where the root value is looked for. */
export function findList(bytes: Uint8Array, path: Path, from: number): ListSpans | undefined {
  let at = skipSpace(bytes, from)
  for (const step of path) {
    at = memberAt(bytes, at, String(step))
    if (at < 0) return undefined
  }
  return bytes[at] === 0x5b ? elementsAt(bytes, at) : undefined
}

export function skipSpace(bytes: Uint8Array, at: number, to = bytes.length): number {
  let i = at
  while (i < to && isSpace(bytes[i]!)) i++
  return i
}

function elementsAt(bytes: Uint8Array, at: number): ListSpans {
  const elements: Span[] = []
  const close = eachEntry(bytes, at, (start, end) => {
    if (end >= 0) elements.push({ start, end })
  })
  return { elements, open: at + 1, close }
}

/** Where the value under this key begins. As in `JSON.parse` the last of several equal keys counts. */
function memberAt(bytes: Uint8Array, at: number, key: string): number {
  let found = -1
  if (bytes[at] !== 0x7b) return found
  eachEntry(bytes, at, (start, _end, name) => {
    if (name === key) found = start
  })
  return found
}

/** `end` is -1 if the bytes end inside of the value. Elements of a list have no key. */
type OnEntry = (start: number, end: number, key: string | undefined) => void

/** Calls back for each entry of the object or list at `at`, up to a damaged one. Its closing bracket, or -1. */
function eachEntry(bytes: Uint8Array, at: number, onEntry: OnEntry): number {
  const isList = bytes[at] === 0x5b
  let next = skipSpace(bytes, at + 1)
  while (next < bytes.length && bytes[next] !== (isList ? 0x5d : 0x7d)) {
    const key = isList ? undefined : keyAt(bytes, next)
    if (!isList && !key) return -1
    const start = key ? key.value : next
    const end = start < bytes.length ? valueEnd(bytes, start) : -1
    const isWhole = end > start
    onEntry(start, isWhole ? end : -1, key?.text)
    if (!isWhole) return -1
    next = skipSpace(bytes, end)
    if (bytes[next] === COMMA) next = skipSpace(bytes, next + 1)
  }
  return next < bytes.length ? next : -1
}

/** The key of a member, and where its value begins. */
function keyAt(bytes: Uint8Array, at: number): { readonly text: string; readonly value: number } | undefined {
  const end = bytes[at] === QUOTE ? stringEnd(bytes, at) : -1
  const colon = end < 0 ? end : skipSpace(bytes, end)
  if (colon < 0 || bytes[colon] !== COLON) return undefined
  return { text: keyText(bytes, at, end), value: skipSpace(bytes, colon + 1) }
}

const decoder = new TextDecoder()

function keyText(bytes: Uint8Array, start: number, end: number): string {
  const raw = decoder.decode(bytes.subarray(start, end))
  if (!raw.includes('\\')) return raw.slice(1, -1)
  return (fromJson(raw) as string | undefined) ?? raw.slice(1, -1)
}

/** Where the value that begins there ends; -1 if the bytes end first. */
export function valueEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at]
  if (first === QUOTE) return stringEnd(bytes, at)
  if (first === 0x7b || first === 0x5b) return containerEnd(bytes, at)
  let i = at
  while (i < bytes.length && !endsWord(bytes[i]!)) i++
  return i < bytes.length ? i : -1
}

function endsWord(byte: number): boolean {
  return isSpace(byte) || byte === COMMA || byte === 0x5d || byte === 0x7d
}

function containerEnd(bytes: Uint8Array, at: number): number {
  let depth = 0
  let i = at
  while (i < bytes.length) {
    const byte = bytes[i]!
    if (byte === QUOTE) {
      i = stringEnd(bytes, i)
      if (i < 0) return -1
      continue
    }
    i++
    if (byte === 0x7b || byte === 0x5b) depth++
    else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) return i
  }
  return -1
}

function stringEnd(bytes: Uint8Array, at: number): number {
  let i = at + 1
  while (i < bytes.length) {
    const quote = bytes.indexOf(QUOTE, i)
    if (quote < 0) return -1
    let slashes = quote
    while (slashes > i && bytes[slashes - 1] === BACKSLASH) slashes--
    if ((quote - slashes) % 2 === 0) return quote + 1
    i = quote + 1
  }
  return -1
}

/**
 * How much of a document that was cut short can be kept, and the brackets that close it: everything up to the last
 * complete value of the containers on the way to the list at `path`, and of the list itself.
 */
export function closeCut(
  bytes: Uint8Array,
  path: Path,
  from: number,
): { readonly end: number; readonly closers: string } | undefined {
  let at = skipSpace(bytes, from)
  let safe: { end: number; closers: string } | undefined
  let closers = ''
  for (let depth = 0; ; depth++) {
    const isList = bytes[at] === 0x5b
    if (!isList && bytes[at] !== 0x7b) return safe
    closers = (isList ? ']' : '}') + closers
    let [end, descend] = [at + 1, -1]
    eachEntry(bytes, at, (start, stop, key) => {
      if (stop >= 0) end = stop
      else if (key !== undefined && key === path[depth] && start < bytes.length) descend = start
    })
    safe = { end, closers }
    if (descend < 0) return safe
    at = descend
  }
}
