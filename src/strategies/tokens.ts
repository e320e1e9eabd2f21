/**
 * How many tokens a text or a message has, without a tokenizer: runs of characters by class, weighed.
 * The weights were fitted to o200k on prose, code, JSON, thirteen languages and recorded conversations; `bench/tokens.ts` measures them.
 */
import { type Dialect, isObject, outlineOf, type Part, ROLE, type Role } from '../core/index.ts'
import { isNative } from './native.ts'
import { isNote } from './note.ts'

/** Tokens of a text. Any function will do; a real tokenizer too. */
export type Estimate = (text: string) => number

/** Tokens of one message, and how many of them are in its tool results and in its reasoning. */
export interface Cost {
  readonly tokens: number
  readonly results: number
  readonly reasoning: number
  /** Its outline, and whether it may hold a note of ours or a compaction item of the provider's. */
  readonly flags: number
}

/** Bits above those of an outline. */
export const NOTED = 256
export const NATIVE = 512

/** What stands around the words of a message. */
const MESSAGE = 4
const CALL = 8
/** A picture or a page, whatever its bytes: providers count areas, not characters. */
const MEDIA = 1600
/** Longer texts are looked at in blocks, one in four. */
const LONG = 1024
const BLOCK = 256

const LOWER = 0
const UPPER = 1
const DIGIT = 2
const SPACE = 3
const LINE = 4
const PUNCT = 5

const classes = new Uint8Array(128)
for (let code = 0; code < 128; code++) classes[code] = classOf(String.fromCharCode(code))

function classOf(char: string): number {
  if (char >= 'a' && char <= 'z') return LOWER
  if (char >= 'A' && char <= 'Z') return UPPER
  if (char >= '0' && char <= '9') return DIGIT
  if (char === ' ' || char === '\t') return SPACE
  return char === '\n' || char === '\r' ? LINE : PUNCT
}

/** Letters of traditional Chinese that the simplified script writes otherwise: texts with them take more tokens. */
const traditional: ReadonlySet<number> = new Set(
  Array.from(
    '這個們時來對說會過還國學後樣現發開問沒話為麼應該將與數據類變設無產實際當從經關於動進種處結構檢繼錯誤參運並項組單傳員選擇僅屬匯輸預擴轉檔碼啟標記陣',
    (char) => char.charCodeAt(0),
  ),
)

/** Tokens of a text, within a tenth of what o200k counts over a page of it. */
export function estimateTokens(text: string): number {
  if (text.length <= LONG) return Math.ceil(weigh(text, 0, text.length))
  let sum = 0
  let seen = 0
  for (let from = 0; from < text.length; from += BLOCK * 4) {
    const to = Math.min(from + BLOCK, text.length)
    sum += weigh(text, from, to)
    seen += to - from
  }
  return Math.ceil((sum / seen) * text.length)
}

/** One loop without calls for what most texts are made of: words, spaces and signs. */
function weigh(text: string, from: number, to: number): number {
  let sum = 0
  let before = SPACE
  let i = from
  while (i < to) {
    const code = text.charCodeAt(i)
    if (code >= 128) {
      sum += foreign(code)
      before = code < 0x2000 ? LOWER : PUNCT
      i++
      continue
    }
    let kind = classes[code]!
    const start = i++
    // A capital opens the word behind it.
    if (kind === UPPER && i < to && classes[text.charCodeAt(i)] === LOWER) kind = LOWER
    while (i < to && classes[text.charCodeAt(i)] === kind) i++
    const length = i - start
    if (kind === LOWER) sum += word(length, before)
    else if (kind !== SPACE || length > 1) sum += run(kind, length, before)
    before = kind
  }
  return sum
}

function run(kind: number, length: number, before: number): number {
  if (kind === PUNCT) return 0.7 + 0.15 * length
  if (kind === SPACE) return 0.14
  if (kind === LINE) return 1
  if (kind === DIGIT) return 1.1 * Math.ceil(length / 3)
  if (length === 1) return word(1, before)
  return 0.16 + 0.2 * length + (before === DIGIT ? 1.1 : 0)
}

function word(length: number, before: number): number {
  // A short run right behind a letter or a digit is a piece of something that no vocabulary has.
  if (length <= 3) return before === SPACE || before === PUNCT ? 0.61 : 1.5
  if (length <= 7) return 1.06
  return length <= 11 ? 1.5 : 2 + 0.45 * (length - 12)
}

function foreign(code: number): number {
  if (code >= 0x4e00 && code <= 0x9fff) return traditional.has(code) ? 1.4 : 0.69
  if (code >= 0x3040 && code < 0x3100) return 0.65
  if (code >= 0xac00 && code < 0xd7b0) return 0.67
  if (code >= 0xd800 && code < 0xe000) return 0.8
  if ((code >= 0x2000 && code < 0x3040) || code >= 0xfe00) return 1
  return code >= 0x3100 && code < 0xfb00 ? 0.9 : 0.26
}

const STRANGE: Cost = { tokens: MESSAGE, results: 0, reasoning: 0, flags: ROLE.unknown }
const caches = new WeakMap<Dialect, WeakMap<Estimate, WeakMap<object, Cost>>>()

/** Counts messages of one dialect. Each message is counted once and remembered by reference. */
export function counter(dialect: Dialect, estimate: Estimate = estimateTokens): (message: unknown) => Cost {
  const byEstimate = caches.get(dialect) ?? new WeakMap()
  caches.set(dialect, byEstimate)
  const costs: WeakMap<object, Cost> = byEstimate.get(estimate) ?? new WeakMap()
  byEstimate.set(estimate, costs)
  const parts: Part[] = []
  return (message) => {
    if (typeof message !== 'object' || message === null) return STRANGE
    const known = costs.get(message)
    if (known) return known
    while (parts.length > 0) parts.pop()
    const role = dialect.read(message, 0, parts)
    const cost = costOf(role, parts, estimate)
    costs.set(message, cost)
    return cost
  }
}

function costOf(role: Role, parts: readonly Part[], estimate: Estimate): Cost {
  let tokens = MESSAGE
  let results = 0
  let reasoning = 0
  let flags = outlineOf(role, parts)
  for (const part of parts) {
    const size = partTokens(part, estimate)
    tokens += size
    if (part.kind === 'result' && !part.server) results += size
    if (part.kind === 'reasoning') reasoning += size
    if (isNative(part)) flags |= NATIVE
    if (role === 'user' && part.kind === 'text' && typeof part.body === 'string' && isNote(part.body)) flags |= NOTED
  }
  return { tokens, results, reasoning, flags }
}

/** Tokens of one part. */
export function partTokens({ kind, body, value, sign, name }: Part, estimate: Estimate): number {
  if (kind === 'text') return valueTokens(body, estimate)
  if (kind === 'media') return MEDIA
  if (kind === 'call') return CALL + estimate(name ?? '') + valueTokens(body, estimate)
  if (kind === 'result') return CALL + valueTokens(body, estimate)
  if (kind === 'opaque') return valueTokens(value, estimate)
  // Of reasoning that nobody can read only the length of its seal is known.
  return body === undefined ? sealed(sign) : valueTokens(body, estimate)
}

function sealed(sign: unknown): number {
  return typeof sign === 'string' ? Math.ceil(sign.length / 6) : 0
}

/** Tokens of a JSON value as it would be written. */
export function valueTokens(value: unknown, estimate: Estimate): number {
  if (typeof value === 'string') return value.length > 400 && isBytes(value) ? MEDIA : estimate(value)
  const stack: unknown[] = [value]
  let sum = 0
  while (stack.length > 0) {
    const one = stack.pop()
    if (typeof one === 'string') sum += one.length > 400 && isBytes(one) ? MEDIA : estimate(one)
    else if (ArrayBuffer.isView(one)) sum += MEDIA
    else if (Array.isArray(one)) for (const inner of one) stack.push(inner)
    else if (isObject(one)) for (const key of Object.keys(one)) sum += keyTokens(key, one[key], stack, estimate)
    else if (one !== undefined) sum += 1
  }
  return sum
}

function keyTokens(key: string, value: unknown, stack: unknown[], estimate: Estimate): number {
  if (key === 'encrypted_content' || key === 'signature') return sealed(value)
  stack.push(value)
  return key === 'type' || key === 'text' ? 1 : estimate(key) + 1
}

/** Base64, or a data URL: the bytes of something that is not read as text. */
function isBytes(text: string): boolean {
  return text.startsWith('data:') || /^[A-Za-z0-9+/_-]{400}/.test(text)
}
