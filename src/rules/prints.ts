/**
 * Whether one of very many ids may have come before, by 32 bits of each: no id is kept, and none is hashed to its last letter.
 * Two ids with one print are possible, so a yes has to be looked into.
 */
const LETTERS = 24

export class Prints {
  /** Nothing has come twice. */
  lasts = true
  private table = new Int32Array(256)
  private count = 0

  /** False: this id, or one with its print, was added before. */
  add(id: string): boolean {
    if (!this.insert(printOf(id))) {
      this.lasts = false
      return false
    }
    if (++this.count * 2 > this.table.length) this.grow()
    return true
  }

  private insert(print: number): boolean {
    const { table } = this
    const mask = table.length - 1
    let at = print & mask
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

/** Ids mostly differ in their last letters; those of one reply may differ in the first two alone. Never 0: that is an empty place. */
function printOf(id: string): number {
  let print = (id.charCodeAt(0) << 16) ^ (id.charCodeAt(1) << 8) ^ id.length
  for (let i = Math.max(0, id.length - LETTERS); i < id.length; i++)
    print = Math.imul(print ^ id.charCodeAt(i), 0x5bd1e995) ^ (print >>> 15)
  print = Math.imul(print ^ (print >>> 13), 0x5bd1e995)
  return (print ^ (print >>> 15)) | 0 || 1
}
