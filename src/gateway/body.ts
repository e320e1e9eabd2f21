/**
 * Bodies that came compressed, opened within bounds: a bomb ends at the limit, not in memory.
 */
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Gathering, type Hold } from './hold.ts'
import { Problem } from './problem.ts'

const WAYS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const

const CHUNK = 64 * 1024

/** Whether a body with this content-encoding can be read here. */
export function isKnownEncoding(encoding: string): boolean {
  const way = encoding.trim().toLowerCase()
  return way === '' || way === 'identity' || Object.hasOwn(WAYS, way)
}

/** The bytes inside, counted as they are unpacked; undefined for an encoding that is not known here, which is then passed on unread. */
export async function opened(
  body: Uint8Array,
  encoding: string | undefined,
  limit: number,
  hold: Hold,
): Promise<Uint8Array | undefined> {
  const way = encoding?.trim().toLowerCase() ?? ''
  if (way === '' || way === 'identity') return body
  if (!Object.hasOwn(WAYS, way)) return undefined
  const stream = WAYS[way as keyof typeof WAYS]({ chunkSize: CHUNK })
  const gathering = new Gathering(hold, limit)
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
      reject(new Problem('bad-request', `The body is not what its content-encoding says (${way}).`))
    })
    stream.on('end', () => resolve(gathering.whole()))
    stream.end(body)
  })
}
