/**
 * Damage to session files, by a seeded random source: what disks, crashes and concurrent writers leave behind. Each
 * mutant knows which records of the original it did not touch.
 */
import { bytesOf, joined } from '../../src/session-files/salvage/bytes.ts'

export interface Mutant {
  readonly kind: DamageKind
  readonly bytes: Uint8Array
  /** Bytes of the records that were not touched, and how often each is in the file. */
  readonly untouched: readonly Uint8Array[]
  /** All records of the original. Nothing else may come out, unless the damage itself made another valid record. */
  readonly original: readonly Uint8Array[]
  readonly container: Container
  /** The byte that was flipped, as it was before. */
  readonly flipped?: { readonly at: number; readonly byte: number } | undefined
  /**
   * The flipped bit is in the frame of a document that is still JSON: another key or value of it, which nothing shows
   * to be damage.
   */
  readonly isOtherDocument?: boolean | undefined
}

export const DAMAGE = [
  'truncated',
  'glued',
  'cut-and-glued',
  'nul-bytes',
  'duplicated',
  'deleted',
  'reordered',
  'interleaved',
  'broken-chain',
  'bit-flip',
  'raw-newline',
  'byte-order-mark',
  'utf-16',
] as const
export type DamageKind = (typeof DAMAGE)[number]

/** A small generator with a seed: the same mutants on every machine. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39) >>> 0
    return ((mixed ^ (mixed >>> 15)) >>> 0) % below
  }
}

/** How records become a file: line by line, or as a list in a JSON document. */
export interface Container {
  readonly head: string
  readonly between: string
  readonly tail: string
}

export const LINES: Container = { head: '', between: '\n', tail: '\n' }

const NEWLINE = bytesOf('\n')

export function damage(lines: readonly Uint8Array[], kind: DamageKind, seed: number, container = LINES): Mutant {
  const random = randomFrom(seed)
  const made = MAKERS[kind](lines, random, (parts) => fileOf(parts, container))
  return { kind, original: lines, container, ...made }
}

type Made = Pick<Mutant, 'bytes' | 'untouched' | 'flipped' | 'isOtherDocument'>
type Random = (below: number) => number
type Lay = (lines: readonly Uint8Array[]) => Uint8Array

/** An empty file has no line break. */
function fileOf(lines: readonly Uint8Array[], { head, between, tail }: Container): Uint8Array {
  if (lines.length === 0 && head === '') return new Uint8Array(0)
  const gap = bytesOf(between)
  return joined([bytesOf(head), ...lines.flatMap((line, i) => (i === 0 ? [line] : [gap, line])), bytesOf(tail)])
}

const without = (lines: readonly Uint8Array[], ...places: readonly number[]) =>
  lines.filter((_, i) => !places.includes(i))
const replaced = (lines: readonly Uint8Array[], place: number, line: Uint8Array) =>
  lines.map((one, i) => (i === place ? line : one))
/** Two neighbors without the lines between them. */
const withoutGap = (lines: readonly Uint8Array[], place: number, first: Uint8Array) =>
  without(replaced(lines, place, joined([first, lines[place + 1]!])), place + 1)

/** Where each record is in the undamaged file. */
function spansIn(whole: Uint8Array, lines: readonly Uint8Array[]): { start: number; end: number }[] {
  let from = 0
  return lines.map((line) => {
    const start = Buffer.from(whole.buffer, whole.byteOffset, whole.length).indexOf(line, from)
    from = start + line.length
    return { start, end: from }
  })
}

const MAKERS: Readonly<Record<DamageKind, (lines: readonly Uint8Array[], random: Random, file: Lay) => Made>> = {
  truncated: (lines, random, file) => {
    const whole = file(lines)
    const cut = random(whole.length)
    const spans = spansIn(whole, lines)
    return { bytes: whole.slice(0, cut), untouched: lines.filter((_, i) => spans[i]!.end <= cut) }
  },
  glued: (lines, random, file) => {
    const place = random(lines.length - 1)
    return { bytes: file(withoutGap(lines, place, lines[place]!)), untouched: lines }
  },
  'cut-and-glued': (lines, random, file) => {
    const place = random(lines.length - 1)
    const cut = lines[place]!.slice(0, random(lines[place]!.length))
    return { bytes: file(withoutGap(lines, place, cut)), untouched: without(lines, place) }
  },
  'nul-bytes': (lines, random, file) => {
    const place = random(lines.length)
    const line = lines[place]!
    const at = random(line.length + 1)
    const nul = new Uint8Array(1 + random(2000))
    const broken = joined([line.slice(0, at), nul, line.slice(at)])
    const inside = at > 0 && at < line.length
    return { bytes: file(replaced(lines, place, broken)), untouched: inside ? without(lines, place) : lines }
  },
  duplicated: (lines, random, file) => {
    const place = random(lines.length)
    const to = random(lines.length)
    const all = [...lines.slice(0, to), lines[place]!, ...lines.slice(to)]
    return { bytes: file(all), untouched: all }
  },
  deleted: (lines, random, file) => {
    const kept = without(lines, random(lines.length))
    return { bytes: file(kept), untouched: kept }
  },
  reordered: (lines, random, file) => {
    const all = [...lines]
    const [line] = all.splice(random(all.length), 1)
    all.splice(random(all.length + 1), 0, line!)
    return { bytes: file(all), untouched: all }
  },
  interleaved: (lines, random, file) => {
    const place = random(lines.length - 1)
    const line = lines[place]!
    const at = 1 + random(line.length - 1)
    const mixed = joined([line.slice(0, at), lines[place + 1]!, line.slice(at)])
    // Between a comma or colon and its value the second record reads as a value of the first.
    const certain = insideString(line, at)
    return {
      bytes: file(without(replaced(lines, place, mixed), place + 1)),
      untouched: without(lines, place, ...(certain ? [] : [place + 1])),
    }
  },
  'broken-chain': (lines, random, file) => {
    const place = random(lines.length)
    const text = new TextDecoder().decode(lines[place]!)
    const lost = text.replace(/"(parentUuid|parentId)":"[^"]*"/, '"$1":"never-written"')
    return { bytes: file(replaced(lines, place, bytesOf(lost))), untouched: without(lines, place) }
  },
  'bit-flip': (lines, random, file) => {
    const broken = file(lines)
    const spans = spansIn(broken, lines)
    const at = random(broken.length)
    const byte = broken[at]!
    broken[at] = byte ^ (1 << random(8))
    const isFrame = !spans.some(({ start, end }) => start <= at && at < end)
    return {
      bytes: broken,
      untouched: lines.filter((_, i) => spans[i]!.end <= at || spans[i]!.start > at),
      flipped: { at, byte },
      isOtherDocument: isFrame && isJson(broken),
    }
  },
  'raw-newline': (lines, random, file) => {
    const place = random(lines.length)
    const at = random(lines[place]!.length)
    const broken = joined([lines[place]!.slice(0, at), NEWLINE, lines[place]!.slice(at)])
    return { bytes: file(replaced(lines, place, broken)), untouched: without(lines, place) }
  },
  'byte-order-mark': (lines, _random, file) => ({
    bytes: joined([Uint8Array.of(0xef, 0xbb, 0xbf), file(lines)]),
    untouched: lines,
  }),
  'utf-16': (lines, random, file) => {
    const little = random(2) === 0
    const text = new TextDecoder().decode(file(lines))
    const out = new Uint8Array(2 + text.length * 2)
    out.set(little ? [0xff, 0xfe] : [0xfe, 0xff])
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      out[2 + i * 2] = little ? unit & 255 : unit >> 8
      out[3 + i * 2] = little ? unit >> 8 : unit & 255
    }
    return { bytes: out, untouched: lines }
  },
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(bytes))
    return true
  } catch {
    return false
  }
}

function insideString(line: Uint8Array, at: number): boolean {
  let inside = false
  for (let i = 0; i < at; i++) {
    if (line[i] === 0x5c) i++
    else if (line[i] === 0x22) inside = !inside
  }
  return inside
}
