/**
 * Whether one of very many ids may have come before, by some sixty bits of each: no id is kept.
 * Two ids with one print are possible, so a yes has to be looked into. With half as many bits it would come to that in any history of a million messages.
 */

/** Of a longer id only its ends are read. */
const LONGEST = 64
/** 1 for what is no letter, digit, `_` or `-`. */
const odd = Uint8Array.from({ length: 128 }, (_, code) => (/[\w-]/.test(String.fromCharCode(code)) ? 0 : 1))

/** The print of the id that was read last. */
export class Print {
  /** Never used: decision 0021. */
  static readonly kept = new Print()

  /** Never 0. */
  first = 1
  second = 0
  /** The id was read to its end, and is nothing but letters, digits, `_` and `-`. */
  isWord = false

  /** Reads all of it, but of a long one. */
  read(id: string): void {
    const { length } = id
    const isLong = length > LONGEST
    let [first, second] = [length, length]
    let seen = isLong || length === 0 ? 1 : 0
    for (let i = 0; i < length; i++) {
      // Ids mostly differ in their last letters; those of one reply may differ in the first alone.
      if (isLong && i === 8) i = length - 24
      const code = id.charCodeAt(i)
      seen |= code < 128 ? odd[code]! : 1
      first = Math.imul(first ^ code, 0x5bd1e995) ^ (first >>> 15)
      second = Math.imul(second + code, 0x01000193) ^ (second >>> 13)
    }
    this.set(first, second, seen === 0)
  }

  /** Reads the ends alone, which are what ids differ in; then it is never a word's. */
  readEnds(id: string): void {
    const { length } = id
    let [first, second] = [length, length]
    for (let i = 0; i < length; i++) {
      if (i === 8 && length > 24) i = length - 12
      const code = id.charCodeAt(i)
      first = Math.imul(first ^ code, 0x5bd1e995) ^ (first >>> 15)
      second = Math.imul(second + code, 0x01000193) ^ (second >>> 13)
    }
    this.set(first, second, false)
  }

  private set(first: number, second: number, isWord: boolean): void {
    const mixed = Math.imul(first ^ (first >>> 13), 0x5bd1e995)
    this.first = mixed ^ (mixed >>> 15) || 1
    this.second = second
    this.isWord = isWord
  }
}

export class Prints {
  /** Never used: decision 0021. */
  static readonly kept = new Prints()

  /** Nothing has come twice. */
  lasts = true
  // Both halves of each side by side. So few that the engine keeps them with its own objects.
  private table = new Int32Array(16)
  private count = 0

  /** False: this print was added before. */
  add({ first, second }: Print): boolean {
    if (!this.insert(first, second)) {
      this.lasts = false
      return false
    }
    if (++this.count * 4 > this.table.length) this.grow()
    return true
  }

  private insert(first: number, second: number): boolean {
    const { table } = this
    const mask = table.length - 1
    let at = (first << 1) & mask
    while (table[at] !== 0) {
      if (table[at] === first && table[at + 1] === second) return false
      at = (at + 2) & mask
    }
    table[at] = first
    table[at + 1] = second
    return true
  }

  private grow(): void {
    const old = this.table
    this.table = new Int32Array(old.length * 4)
    for (let i = 0; i < old.length; i += 2) if (old[i] !== 0) this.insert(old[i]!, old[i + 1]!)
  }
}
