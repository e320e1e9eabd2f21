/** Decompresses request bodies within bounds: a decompression bomb ends at the limit, not in memory. */
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { GatewayError } from '../gateway-error.ts'
import { BodyBuffer, type MemoryHold } from '../protection/index.ts'

const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const

const CHUNK = 64 * 1024

/** Whether a body with this content-encoding can be read here. */
export function isKnownEncoding(encoding: string): boolean {
  const coding = encoding.trim().toLowerCase()
  return coding === '' || coding === 'identity' || Object.hasOwn(DECODERS, coding)
}

/** The decompressed bytes, counted as they arrive. Undefined for an unknown encoding, which is passed on unread. */
export async function decompress(
  body: Uint8Array,
  encoding: string | undefined,
  limit: number,
  hold: MemoryHold,
): Promise<Uint8Array | undefined> {
  const coding = encoding?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity') return body
  if (!Object.hasOwn(DECODERS, coding)) return undefined
  const stream = DECODERS[coding as keyof typeof DECODERS]({ chunkSize: CHUNK })
  const gathering = new BodyBuffer(hold, limit)
  return new Promise((resolve, reject) => {
    stream.on('data', (piece: Buffer) => {
      try {
        gathering.add(piece)
      } catch (problem) {
        stream.destroy()
        reject(problem)
      }
    })
    stream.on('error', () => {
      gathering.drop()
      reject(
        new GatewayError(
          'bad-request',
          `The body cannot be decompressed: its content-encoding is ${coding}, but its bytes are not.`,
        ),
      )
    })
    stream.on('end', () => resolve(gathering.whole()))
    stream.end(body)
  })
}
