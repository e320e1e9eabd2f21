/**
 * A name of 32 hexadecimal digits for bytes and texts, at once and without a platform. Finds changes; it is not
 * cryptographic.
 */
import { bytesOf } from './salvage/bytes.ts'

export function fingerprint(parts: readonly (Uint8Array | string)[]): string {
  const lanes = [0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35]
  for (const part of parts) {
    const bytes = typeof part === 'string' ? bytesOf(part) : part
    addBytes(lanes, bytes)
    addBytes(lanes, bytesOf(`#${bytes.length}`))
  }
  return lanes.map((lane) => mix(lane).toString(16).padStart(8, '0')).join('')
}

function addBytes(lanes: number[], bytes: Uint8Array): void {
  let [a, b, c, d] = lanes as [number, number, number, number]
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    a = Math.imul(a ^ byte, 0x01000193)
    b = Math.imul((b << 13) | (b >>> 19), 5) ^ Math.imul(byte + 1, 0x85ebca6b)
    c = Math.imul((c ^ byte) + a, 0xcc9e2d51)
    d = Math.imul((d << 7) | (d >>> 25), 0x1b873593) ^ (byte + b)
  }
  lanes.splice(0, 4, a, b, c, d)
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
