/**
 * Whether one of very many ids may have come before, by 31 bits of each: no id is kept.
 * Two ids with one print are possible, so a yes has to be looked into.
 */

/** Of a longer id only its ends are read. */
const LONGEST = 64
/** 1 for what is no letter, digit, `_` or `-`. */
const odd = Uint8Array.from({ length: 128 }, (_, code) => (/[\w-]/.test(String.fromCharCode(code)) ? 0 : 1))

export class Prints {
  /** Never used: decision 0021. */
  static readonly kept = new Prints()

  /** Nothing has come twice. */
  lasts = true
  // So few that the engine keeps them with its own objects.
  private table = new Int32Array(16)
  private count = 0

  /** False: this id, or one with its print, was added before. */
  add(id: string): boolean {
    return this.addPrint(printOf(id))
  }

  addPrint(print: number): boolean {
    if (!this.insert(print)) {
      this.lasts = false
      return false
    }
    if (++this.count * 2 > this.table.length) this.grow()
    return true
  }

  private insert(print: number): boolean {
    const { table } = this
    const mask = table.length - 1
    let at = (print >>> 1) & mask
    while (table[at] !== 0) {
      if (table[at] === print) return false
      at = (at + 1) & mask
    }
    table[at] = print
    return true
  }

  private grow(): void {
    const old = this.table
    this.table = new Int32Array(old.length * 4)
    for (let i = 0; i < old.length; i++) if (old[i] !== 0) this.insert(old[i]!)
  }
}

/** Never 0. The last bit is 0 for a word, and 1 for what has other letters, is empty or was not read to its end. */
export function printOf(id: string): number {
  const { length } = id
  const isLong = length > LONGEST
  let print = length
  let seen = isLong || length === 0 ? 1 : 0
  for (let i = 0; i < length; i++) {
    // Ids mostly differ in their last letters; those of one reply may differ in the first alone.
    if (isLong && i === 8) i = length - 24
    const code = id.charCodeAt(i)
    seen |= code < 128 ? odd[code]! : 1
    print = Math.imul(print ^ code, 0x5bd1e995) ^ (print >>> 15)
  }
  print = Math.imul(print ^ (print >>> 13), 0x5bd1e995)
  return ((print ^ (print >>> 15)) & ~1 || 2) | seen
}

/** For an id that nobody has read: no word. */
export const NO_PRINT = 1

/** The same by the ends of an id alone, which are what ids differ in; never a word's. */
export function endsOf(id: string): number {
  const { length } = id
  let print = length
  for (let i = 0; i < length; i++) {
    if (i === 8 && length > 24) i = length - 12
    print = Math.imul(print ^ id.charCodeAt(i), 0x5bd1e995) ^ (print >>> 15)
  }
  print = Math.imul(print ^ (print >>> 13), 0x5bd1e995)
  return (print ^ (print >>> 15)) | 1
}

/** Whether an id with this print is nothing but letters, digits, `_` and `-`. */
export function isWord(print: number): boolean {
  return (print & 1) === 0
}
