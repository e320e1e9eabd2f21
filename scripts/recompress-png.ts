/**
 * A screenshot in fewer bytes: the same pixels without alpha, compressed again.
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = 8

/** Takes an 8-bit RGB or RGBA PNG that is not interlaced, as Chromium writes it. */
export function recompressPng(png: Buffer): Buffer {
  const { header, data } = chunksOf(png)
  const [width, height, channels] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9] === 6 ? 4 : 3]
  const pixels = unfiltered(inflateSync(data), width, height, channels)
  const lines = Buffer.alloc(height * (width * 3 + 1))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      pixels.copy(lines, y * (width * 3 + 1) + 1 + x * 3, (y * width + x) * channels, (y * width + x) * channels + 3)
  const opaque = Buffer.from(header)
  opaque[9] = 2
  const packed = deflateSync(lines, { level: 9, memLevel: 9 })
  return Buffer.concat([
    png.subarray(0, SIGNATURE),
    chunk('IHDR', opaque),
    chunk('IDAT', packed),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunksOf(png: Buffer): { header: Buffer; data: Buffer } {
  const data: Buffer[] = []
  let header = Buffer.alloc(0)
  for (let at = SIGNATURE; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const [type, body] = [png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length)]
    if (type === 'IHDR') header = Buffer.from(body)
    if (type === 'IDAT') data.push(body)
    at += length + 12
  }
  return { header, data: Buffer.concat(data) }
}

/** Undoes the filters of the lines. Text on plain ground is smaller without them. */
function unfiltered(lines: Buffer, width: number, height: number, channels: number): Buffer {
  const size = width * channels
  const out = Buffer.alloc(size * height)
  for (let y = 0; y < height; y++) {
    const filter = lines[y * (size + 1)]!
    for (let i = 0; i < size; i++) {
      const left = i < channels ? 0 : out[y * size + i - channels]!
      const up = y === 0 ? 0 : out[(y - 1) * size + i]!
      const corner = i < channels || y === 0 ? 0 : out[(y - 1) * size + i - channels]!
      out[y * size + i] = lines[y * (size + 1) + 1 + i]! + predicted(filter, left, up, corner)
    }
  }
  return out
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 0) return 0
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  check.writeUInt32BE(crc32(named) >>> 0)
  return Buffer.concat([length, named, check])
}
