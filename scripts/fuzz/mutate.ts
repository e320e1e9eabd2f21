/**
 * Mutations by a seeded random source: of JSON values, with what readers of JSON do not expect, and of bytes.
 */
import type { Random } from './surface.ts'

/** Becomes so many nested lists when the value is written: deeper than any recursion goes. */
const DEEP = /"@deep:(\d+)@"/g

const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\u001b[2J\u001b]0;title\u0007',
  '\u009b31m',
  '\u202eabc\u2066',
  '\ud800',
  '\u2028',
  '\ufeff',
  '__proto__',
  'constructor',
  'toString',
  '[object Object]',
  'null',
  '-1',
  '1e999',
  'a\r\nb',
  '"},{"role":"user"',
  '../../etc/passwd',
]
const ODD_KEYS = ['__proto__', 'constructor', 'toString', 'toJSON', 'hasOwnProperty', 'length', 'then', '', '0', '$ref']
const ODD_NUMBERS = [0, -1, 0.5, 1e308, 2 ** 53, -(2 ** 31), 1e21]

/** The text with one to five changes: of its JSON values, or of its bytes. */
export function mutated(text: string, random: Random): Buffer {
  let now = text
  for (let left = 1 + random(4); left > 0; left--) now = changedLine(now, random)
  const bytes = Buffer.from(now)
  return random(3) === 0 ? changedBytes(bytes, random) : bytes
}

/** A document, or one line of it. */
function changedLine(text: string, random: Random): string {
  const whole = changedJson(text, random)
  if (whole !== undefined) return whole
  const lines = text.split('\n')
  const place = random(lines.length)
  const line = lines[place] ?? ''
  switch (random(8)) {
    case 0:
      lines.splice(place, 1)
      break
    case 1:
      lines.splice(random(lines.length), 0, line)
      break
    default:
      lines[place] = changedJson(line, random) ?? line
  }
  return lines.join('\n')
}

function changedJson(text: string, random: Random): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
    return JSON.stringify(changed(value, random)).replace(DEEP, (_all, depth) => nested(Number(depth)))
  } catch {
    return undefined
  }
}

function nested(depth: number): string {
  return `${'['.repeat(depth)}1${']'.repeat(depth)}`
}

interface Slot {
  readonly holder: object
  readonly key: string | number
}

/** The value with one change at a random place. */
export function changed(root: unknown, random: Random): unknown {
  const box = { root }
  const slots = slotsOf(box)
  const { holder, key } = slots[random(slots.length)]!
  const value = Reflect.get(holder, key)
  const other = slots[random(slots.length)]!
  switch (random(9)) {
    case 0:
      remove(holder, key)
      break
    case 1:
      set(holder, key, [value])
      break
    case 2:
      set(holder, key, copy(Reflect.get(other.holder, other.key)))
      break
    case 3:
      if (Array.isArray(holder)) holder.splice(random(holder.length + 1), 0, copy(value))
      else set(holder, pick(ODD_KEYS, random), copy(value))
      break
    case 4:
      if (typeof value === 'object' && value !== null) set(value, pick(ODD_KEYS, random), odd(random))
      else set(holder, key, odd(random))
      break
    case 5:
      if (typeof value === 'string') set(holder, key, oddText(value, random))
      else set(holder, key, odd(random))
      break
    default:
      set(holder, key, odd(random))
  }
  return box.root
}

const MOST_SLOTS = 5000

function slotsOf(box: object): Slot[] {
  const slots: Slot[] = []
  const open: object[] = [box]
  for (let holder = open.pop(); holder && slots.length < MOST_SLOTS; holder = open.pop()) {
    for (const key of Object.keys(holder)) {
      slots.push({ holder, key: Array.isArray(holder) ? Number(key) : key })
      const value: unknown = Reflect.get(holder, key)
      if (typeof value === 'object' && value !== null) open.push(value)
    }
  }
  return slots
}

function oddText(text: string, random: Random): string {
  const at = random(text.length + 1)
  return text.slice(0, at) + pick(ODD_TEXTS, random) + text.slice(random(2) === 0 ? at : at + random(4))
}

export function odd(random: Random): unknown {
  switch (random(12)) {
    case 0:
      return null
    case 1:
      return random(2) === 0
    case 2:
      return pick(ODD_NUMBERS, random)
    case 3:
      return []
    case 4:
      return {}
    case 5:
      return record(pick(ODD_KEYS, random), random(2) === 0 ? 1 : { role: 'user' })
    case 6:
      return [odd(random)]
    case 7:
      return `@deep:${pick([3, 100, 10_000, 100_000], random)}@`
    case 8:
      return pick(ODD_TEXTS, random).repeat(1 + random(3))
    case 9:
      return 'x'.repeat(pick([65, 9000], random))
    case 10:
      return record(pick(ODD_KEYS, random), odd(random))
    default:
      return pick(ODD_TEXTS, random)
  }
}

function record(key: string, value: unknown): object {
  const made = {}
  set(made, key, value)
  return made
}

/** Also for `__proto__`, as JSON.parse does it. */
function set(holder: object, key: string | number, value: unknown): void {
  // A list of JSON has no other keys.
  if (Array.isArray(holder) && typeof key === 'string') return
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

function remove(holder: object, key: string | number): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else Reflect.deleteProperty(holder, key)
}

function copy<T>(value: T): T {
  return value === undefined ? value : JSON.parse(JSON.stringify(value))
}

export function pick<T>(list: readonly T[], random: Random): T {
  return list[random(list.length)]!
}

const PIECES = [
  '\u0000',
  '\u0000\u0000\u0000\u0000',
  '\n',
  '"',
  '{',
  '}',
  ']',
  ',',
  '\\',
  '\ufeff',
  '\u001b[2J',
  '\u0085',
]

function changedBytes(bytes: Buffer, random: Random): Buffer {
  const at = random(bytes.length + 1)
  const end = Math.min(bytes.length, at + random(1 + random(2) * 400))
  switch (random(6)) {
    case 0:
      return bytes.subarray(0, at)
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)])
    case 2:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(pick(PIECES, random)), bytes.subarray(at)])
    case 3:
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)])
    case 4:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([random(256), random(256)]), bytes.subarray(at)])
    default: {
      const flipped = Buffer.from(bytes)
      if (at < flipped.length) flipped[at] = flipped[at]! ^ (1 << random(8))
      return flipped
    }
  }
}
