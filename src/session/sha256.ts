/**
 * A synchronous SHA-256 of a text, without platform APIs: Web Crypto is asynchronous, and an append must not wait for it. Stores on Node
 * use a faster one.
 */
const K = constants()
const encoder = new TextEncoder()

/** The SHA-256 of the text's UTF-8 bytes, as 64 hexadecimal digits. */
export function sha256(text: string): string {
  const bytes = encoder.encode(text)
  const size = (bytes.length + 72) & ~63
  const padded = new Uint8Array(size)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const words = new DataView(padded.buffer)
  words.setUint32(size - 8, Math.floor(bytes.length / 0x20000000))
  words.setUint32(size - 4, (bytes.length << 3) >>> 0)
  const state = Uint32Array.of(
    0x6a09e667,
    0xbb67ae85,
    0x3c6ef372,
    0xa54ff53a,
    0x510e527f,
    0x9b05688c,
    0x1f83d9ab,
    0x5be0cd19,
  )
  const schedule = new Uint32Array(64)
  for (let at = 0; at < size; at += 64) block(words, at, schedule, state)
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('')
}

function block(words: DataView, at: number, w: Uint32Array, state: Uint32Array): void {
  for (let i = 0; i < 16; i++) w[i] = words.getUint32(at + i * 4)
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15]!
    const y = w[i - 2]!
    const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)
    const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10)
    w[i] = w[i - 16]! + s0 + w[i - 7]! + s1
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  const now = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i]! += now[i]!
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes, computed with integers. */
function constants(): Uint32Array {
  const found = new Uint32Array(64)
  let count = 0
  for (let n = 2; count < 64; n++) if (isPrime(n)) found[count++] = Number(cubeRoot(BigInt(n) << 96n) & 0xffffffffn)
  return found
}

function isPrime(n: number): boolean {
  for (let i = 2; i * i <= n; i++) if (n % i === 0) return false
  return true
}

function cubeRoot(n: bigint): bigint {
  let low = 0n
  let high = 1n << 36n
  while (low < high) {
    const middle = (low + high + 1n) >> 1n
    if (middle * middle * middle <= n) low = middle
    else high = middle - 1n
  }
  return low
}
