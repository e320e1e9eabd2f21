import { describe, expect, it } from 'vitest'
import { sizeOf } from './pixels.ts'

const base64 = (bytes: readonly number[]) => Buffer.from(bytes).toString('base64')
const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0))

const png = [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a, 0, 0, 0, 13, ...ascii('IHDR'), 0, 0, 0x1f, 0x41, 0, 0, 0, 7, 8, 6]
const gif = [...ascii('GIF89a'), 0x41, 0x1f, 7, 0, 0, 0]
const frame = [0xff, 0xc2, 0, 17, 8, 0, 7, 0x1f, 0x41, 3, 1]
const jpeg = [0xff, 0xd8, 0xff, 0xe1, 0x40, 0x02, ...new Array<number>(0x4000).fill(0), ...frame]
const riff = (chunk: string, rest: readonly number[]) => [
  ...ascii('RIFF'),
  ...[0, 0, 0, 0],
  ...ascii('WEBP'),
  ...ascii(chunk),
  ...[0, 0, 0, 0],
  ...rest,
]
const extended = riff('VP8X', [0, 0, 0, 0, 0x40, 0x1f, 0, 6, 0, 0])
const lossy = riff('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 0x41, 0x1f, 7, 0])
const lossless = riff('VP8L', [0x2f, 0x40, 0x9f, 0x01, 0x00])

describe('sizeOf', () => {
  it.each([
    ['a PNG', png],
    ['a GIF', gif],
    ['a JPEG with a large header', jpeg],
    ['a WebP, extended', extended],
    ['a WebP, lossy', lossy],
    ['a WebP, lossless', lossless],
  ])('reads %s from its first bytes', (_, bytes) => {
    expect(sizeOf(base64(bytes), 0)).toEqual({ width: 8001, height: 7 })
    const url = `data:image/x;base64,${base64(bytes)}`
    expect(sizeOf(url, url.indexOf(',') + 1)).toEqual({ width: 8001, height: 7 })
  })

  it.each(['', 'iVBOR', '/9j/', 'UklGR', 'hello', '\ud800'])('finds no size in %j and does not throw', (text) => {
    expect(sizeOf(text, 0)).toBeUndefined()
  })
})
