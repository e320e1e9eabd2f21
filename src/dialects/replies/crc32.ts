/** CRC-32 (IEEE 802.3), four bytes at a time for speed: every byte of a stream is summed. */
const TABLES = tables()

export function crc32(bytes: Uint8Array, from: number, to: number): number {
  const [first, second, third, fourth] = TABLES
  let sum = -1
  let at = from
  for (const last = to - 3; at < last; at += 4) {
    sum ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
    sum = fourth[sum & 0xff]! ^ third[(sum >>> 8) & 0xff]! ^ second[(sum >>> 16) & 0xff]! ^ first[sum >>> 24]!
  }
  for (; at < to; at++) sum = first[(sum ^ bytes[at]!) & 0xff]! ^ (sum >>> 8)
  return ~sum >>> 0
}

function tables(): [Int32Array, Int32Array, Int32Array, Int32Array] {
  const first = Int32Array.from({ length: 256 }, (_, index) => {
    let value = index
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
    return value
  })
  const after = (table: Int32Array) => table.map((value) => first[value & 0xff]! ^ (value >>> 8))
  const second = after(first)
  const third = after(second)
  return [first, second, third, after(third)]
}
