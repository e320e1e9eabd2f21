/**
 * A text as nine letters and digits: legal as a call id wherever ids are checked.
 * Not cryptographic. The same text gives the same name on every machine, so prompt caches keep hitting.
 */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function hash(text: string): string {
  let a = 0x811c9dc5
  let b = 0x9e3779b9
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul((b << 13) | (b >>> 19), 5) ^ Math.imul(code, 0x85ebca6b)
  }
  return letters(mix(a ^ text.length), 5) + letters(mix(b ^ Math.imul(a, 0xcc9e2d51)), 4)
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function letters(value: number, count: number): string {
  let rest = value
  let word = ''
  for (let i = 0; i < count; i++) {
    word += ALPHABET[rest % 62]
    rest = Math.floor(rest / 62)
  }
  return word
}
