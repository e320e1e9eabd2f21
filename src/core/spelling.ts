/**
 * JSON numbers as they were spelled. `JSON.parse` rounds 9007199254740993 and reads 1e400 as infinity, `JSON.stringify`
 * writes 1.0 as 1 and infinity as null. Such spellings are kept beside the object or list with the number, and written.
 */

import { SutureError } from './error.ts'
import { checkValue } from './options.ts'
import { orUndefined } from './or-undefined.ts'

/** By container: key or index, and the text of the number there. */
const spellings = new WeakMap<object, Map<string, string>>()
/** Whether any spelling was ever remembered: most processes never need to look. */
let any = false

/** A number that may be written otherwise than it was read. Numbers in strings match, too, which costs only time. */
const ODD = /[[:,\s](?:-0[,\]}\s]|-?(?:\d{16}|\d{1,15}[.eE][-+\d]))/

/** `JSON.parse`, with the spelling of numbers kept for `jsonText`. Throws `bad-option` where the text is not JSON. */
export function parseJson(text: string): unknown {
  checkValue('A JSON text', text, 'string')
  const value = attempt(() => JSON.parse(text) as unknown, 'The text is not JSON. Pass the text of one JSON value.')
  rememberNumbers(text, value)
  return value
}

/** As `parseJson`; undefined where the text is not JSON. */
export function tryParseJson(text: string): unknown {
  return orUndefined(() => parseJson(text))
}

/** Keeps the spelling of numbers for a value that was parsed from this text. Whether there may be any to keep. */
export function rememberNumbers(text: string, value: unknown): boolean {
  checkValue('A JSON text', text, 'string')
  if (typeof value !== 'object' || value === null || !ODD.test(text)) return false
  new Scan(text).run(value)
  return true
}

/** Whether a value holds a number whose spelling is kept. */
export function hasSpelling(value: unknown): boolean {
  return any && typeof value === 'object' && value !== null && holdersIn(value).size > 0
}

/** A copy of one level spells its numbers as the original does. */
export function copySpelling<T extends object>(from: object, to: T): T {
  const known = any ? spellings.get(from) : undefined
  if (known) spellings.set(to, known)
  return to
}

/** `JSON.stringify`, but unchanged numbers keep their spelling. Throws `bad-option` for a BigInt or a circle. */
export function jsonText(value: unknown): string | undefined {
  return attempt(
    () => textOf(value),
    'The value cannot be written as JSON. Pass plain data, without BigInt values or circular references.',
  )
}

/** As `jsonText`; undefined for a value that cannot be written: it is too deep, or holds itself. */
export function tryJsonText(value: unknown): string | undefined {
  return orUndefined(() => jsonText(value))
}

/** Wrong input throws a `SutureError`. A stack overflow is thrown as it is. */
function attempt<T>(work: () => T, says: string): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError)
      throw new SutureError('bad-option', says, {}, { cause: error })
    throw error
  }
}

function textOf(value: unknown): string | undefined {
  try {
    const holders = any && typeof value === 'object' && value !== null ? holdersIn(value) : undefined
    return holders && holders.size > 0 ? written(value, holders) : JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return written(value)
    throw error
  }
}

/** What is still to be written, last first: texts, values, and where a container ends. */
type Task = { readonly text: string } | { readonly value: unknown } | { readonly end: object }

/**
 * JSON with the spelling of numbers, for a value that may be nested deeper than the stack. A circle is an error, as for
 * `JSON.stringify`, which writes what is not in `holders`. Absent: it writes no container.
 */
function written(root: unknown, holders?: ReadonlySet<object>): string {
  const out: string[] = []
  const open = new Set<object>()
  const todo: Task[] = [{ value: root }]
  for (let task = todo.pop(); task; task = todo.pop()) {
    if ('text' in task) out.push(task.text)
    else if ('end' in task) open.delete(task.end)
    else if (isPlain(task.value, holders)) out.push(JSON.stringify(task.value) ?? 'null')
    else pushMembers(task.value as object, open, todo)
  }
  return out.join('')
}

/** `JSON.stringify` writes it. */
function isPlain(value: unknown, holders: ReadonlySet<object> | undefined): boolean {
  if (typeof value !== 'object' || value === null || (holders && !holders.has(value))) return true
  return typeof (value as { readonly toJSON?: unknown }).toJSON === 'function'
}

function pushMembers(holder: object, open: Set<object>, todo: Task[]): void {
  if (open.has(holder)) throw new TypeError('Converting circular structure to JSON')
  open.add(holder)
  const isList = Array.isArray(holder)
  const known = spellings.get(holder)
  const members = Object.entries(holder).filter(([, inner]) => isList || isWritable(inner))
  todo.push({ end: holder }, { text: isList ? ']' : '}' })
  for (let i = members.length - 1; i >= 0; i--) {
    const [key, inner] = members[i]!
    const text = known?.get(key)
    todo.push(text !== undefined && Object.is(inner, Number(text)) ? { text } : { value: inner })
    todo.push({ text: `${i > 0 ? ',' : ''}${isList ? '' : `${JSON.stringify(key)}:`}` })
  }
  todo.push({ text: isList ? '[' : '{' })
}

function isWritable(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'
}

interface Frame {
  /** The value at this place; undefined for the first of two equal keys. */
  readonly node: Readonly<Record<string, unknown>> | undefined
  readonly list: boolean
  key: string | undefined
}

/** Goes through a JSON text and the value it was parsed to, side by side. */
class Scan {
  private readonly text: string
  private readonly stack: Frame[] = []
  private frame: Frame | undefined
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  run(root: object): void {
    const { text } = this
    while (this.at < text.length) {
      const char = text[this.at]!
      if (char === '"') this.string()
      else if (char === '{' || char === '[') this.open(char === '[', root)
      else if (char === '}' || char === ']') this.close()
      else if (char === ',') this.next()
      else if (char === '-' || (char >= '0' && char <= '9')) this.number()
      else this.at++
    }
  }

  private string(): void {
    const { text, at, frame } = this
    let end = at
    do end = text.indexOf('"', end + 1)
    while (slashesBefore(text, end) % 2 === 1)
    this.at = end + 1
    // Only keys matter here.
    if (frame && !frame.list && frame.key === undefined) frame.key = keyOf(text.slice(at, end + 1))
  }

  private open(list: boolean, root: object): void {
    const { frame } = this
    const value: unknown = frame ? frame.node?.[frame.key!] : root
    const fits = typeof value === 'object' && value !== null && Array.isArray(value) === list
    if (frame) this.stack.push(frame)
    this.frame = { node: fits ? (value as Frame['node']) : undefined, list, key: list ? '0' : undefined }
    this.at++
  }

  private close(): void {
    this.frame = this.stack.pop()
    this.at++
  }

  private next(): void {
    const { frame } = this
    if (frame) frame.key = frame.list ? String(Number(frame.key) + 1) : undefined
    this.at++
  }

  private number(): void {
    const { text, at, frame } = this
    let end = at + 1
    while (end < text.length && !/[,\]}\s]/.test(text[end]!)) end++
    this.at = end
    if (frame?.node) note(frame.node, frame.key!, text.slice(at, end))
  }
}

function note(node: Readonly<Record<string, unknown>>, key: string, text: string): void {
  const known = spellings.get(node)
  const value = Number(text)
  // The last of two equal keys counts.
  if (String(value) === text || !Object.is(node[key], value)) known?.delete(key)
  else if (known) known.set(key, text)
  else {
    any = true
    spellings.set(node, new Map([[key, text]]))
  }
}

function slashesBefore(text: string, end: number): number {
  let slashes = end
  while (text[slashes - 1] === '\\') slashes--
  return end - slashes
}

function keyOf(quoted: string): string {
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)
}

/** Containers in a value that hold a number with a spelling of its own, or hold one that does. Never recurses. */
function holdersIn(root: object): ReadonlySet<object> {
  const parents = new Map<object, object[]>([[root, []]])
  const odd: object[] = []
  for (const node of parents.keys()) {
    if (spellings.has(node)) odd.push(node)
    for (const child of Array.isArray(node) ? node : Object.values(node)) {
      if (typeof child !== 'object' || child === null) continue
      const known = parents.get(child)
      if (known) known.push(node)
      else parents.set(child, [node])
    }
  }
  const found = new Set<object>()
  for (let node = odd.pop(); node; node = odd.pop()) {
    if (found.has(node)) continue
    found.add(node)
    for (const parent of parents.get(node)!) odd.push(parent)
  }
  return found
}
