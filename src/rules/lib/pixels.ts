/** Width and height of a PNG, JPEG, GIF or WebP, read from its base64 text without decoding more than its header. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** A camera may put a hundred kilobytes before the frame of a JPEG, in segments of up to 64 kB each. */
const SEGMENTS = 64

export function sizeOf(text: string, from: number): Size | undefined {
  const at = (i: number): number => byteAt(text, from, i)
  const both = (i: number): number => at(i) * 256 + at(i + 1)
  const low = (i: number): number => at(i) + at(i + 1) * 256
  if (text.startsWith('iVBORw0KGgo', from)) {
    return { width: both(16) * 65536 + both(18), height: both(20) * 65536 + both(22) }
  }
  if (text.startsWith('R0lGOD', from)) return { width: low(6), height: low(8) }
  if (text.startsWith('/9j/', from)) return jpeg(at, both)
  if (text.startsWith('UklGR', from)) return webp(at, low)
  return undefined
}

function jpeg(at: (i: number) => number, both: (i: number) => number): Size | undefined {
  let place = 2
  for (let n = 0; n < SEGMENTS && at(place) === 0xff; n++) {
    const marker = at(place + 1)
    // The frames are C0 to CF; among them are a table, an extension and a coder.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { height: both(place + 5), width: both(place + 7) }
    }
    place += 2 + both(place + 2)
  }
  return undefined
}

function webp(at: (i: number) => number, low: (i: number) => number): Size | undefined {
  switch (at(15)) {
    // VP8X
    case 0x58:
      return { width: low(24) + at(26) * 65536 + 1, height: low(27) + at(29) * 65536 + 1 }
    // VP8L
    case 0x4c:
      return { width: (low(21) & 0x3fff) + 1, height: (((low(22) >> 6) | (at(24) << 10)) % 0x4000) + 1 }
    // VP8 and a blank
    case 0x20:
      return { width: low(26) & 0x3fff, height: low(28) & 0x3fff }
  }
  return undefined
}

/** One byte of base64 text. */
export function byteAt(text: string, from: number, i: number): number {
  const quad = from + Math.floor(i / 3) * 4
  let bits = 0
  for (let k = 0; k < 4; k++) bits = bits * 64 + six(text.charCodeAt(quad + k))
  return (bits >> (16 - 8 * (i % 3))) & 255
}

function six(code: number): number {
  if (code >= 97) return code - 71
  if (code >= 65) return code === 95 ? 63 : code - 65
  if (code >= 48) return code === 61 ? 0 : code + 4
  return code === 43 || code === 45 ? 62 : code === 47 ? 63 : 0
}
