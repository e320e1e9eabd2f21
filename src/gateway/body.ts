/**
 * Bodies that came compressed, opened within bounds: a bomb ends at the limit, not in memory.
 */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { Problem } from './problem.ts'

const WAYS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

/** Whether a body with this content-encoding can be read here. */
export function isKnownEncoding(encoding: string): boolean {
  const way = encoding.trim().toLowerCase()
  return way === '' || way === 'identity' || Object.hasOwn(WAYS, way)
}

/** The bytes inside; undefined for an encoding that is not known here, which is then passed on unread. */
export async function opened(body: Uint8Array, encoding: string | undefined, limit: number) {
  const way = encoding?.trim().toLowerCase() ?? ''
  if (way === '' || way === 'identity') return body
  if (!Object.hasOwn(WAYS, way)) return undefined
  try {
    return await WAYS[way as keyof typeof WAYS](body, { maxOutputLength: limit })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit)
    throw new Problem('bad-request', `The body is not what its content-encoding says (${way}).`)
  }
}

export function tooLarge(limit: number): Problem {
  return new Problem(
    'body-too-large',
    `The body is larger than ${limit} bytes. Send less, or start the gateway with a larger \`limits.body\`.`,
  )
}
