const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Two FNV-1a sums: enough that the requests of one conversation never share a seed. */
export function seedOf(bytes: Uint8Array): string {
  let one = 0x811c9dc5
  let two = 0x050c5d1f
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 0x01000193)
    two = Math.imul(two ^ byte, 0x01000197)
  }
  return (one >>> 0).toString(36) + (two >>> 0).toString(36)
}

/** `length` letters and digits that depend only on `from`. */
export function letters(from: string, length: number): string {
  const next = randoms(Number.parseInt(seedOf(new TextEncoder().encode(from)).slice(0, 6), 36))
  let text = ''
  while (text.length < length) text += BASE62[Math.floor(next() * BASE62.length)]
  return text
}

/** Numbers from 0 up to 1, the same for the same seed (xorshift). */
export function randoms(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) | 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 0x1_0000_0000
  }
}
