import type { WireEvent } from './types.ts'

/**
 * One message of `application/vnd.amazon.eventstream`: length, length of headers, a CRC32 of those two,
 * headers, body, a CRC32 of all before it; numbers are big-endian (doc: AWS event stream encoding).
 */
export function eventstreamFrame(event: WireEvent): Uint8Array {
  const headers = join(headersOf(event).map(([name, value]) => header(name, value)))
  const body = new TextEncoder().encode(JSON.stringify(event.data))
  const bytes = new Uint8Array(12 + headers.length + body.length + 4)
  const numbers = new DataView(bytes.buffer)
  numbers.setUint32(0, bytes.length)
  numbers.setUint32(4, headers.length)
  numbers.setUint32(8, crc32(bytes.subarray(0, 8)))
  bytes.set(headers, 12)
  bytes.set(body, 12 + headers.length)
  numbers.setUint32(bytes.length - 4, crc32(bytes.subarray(0, bytes.length - 4)))
  return bytes
}

export function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (TABLE[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8)
  return (sum ^ 0xffffffff) >>> 0
}

export function join(arrays: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(arrays.reduce((sum, array) => sum + array.length, 0))
  let at = 0
  for (const array of arrays) {
    all.set(array, at)
    at += array.length
  }
  return all
}

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

function headersOf({ name = '', exception }: WireEvent): [string, string][] {
  const kind = exception ? 'exception' : 'event'
  return [
    [`:${kind}-type`, name],
    [':content-type', 'application/json'],
    [':message-type', kind],
  ]
}

// Type 7 is a string, with its length in two bytes.
function header(name: string, value: string): Uint8Array {
  const key = new TextEncoder().encode(name)
  const text = new TextEncoder().encode(value)
  return join([Uint8Array.of(key.length), key, Uint8Array.of(7, text.length >> 8, text.length & 0xff), text])
}
