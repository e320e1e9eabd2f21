/**
 * Gzip and zstd around a file. Reading zstd needs a Node that has it (22.15 and later) or the package `fzstd`; writing
 * it needs such a Node. A file is written with the default level: neither format stores the level that it was written
 * with.
 */
import * as zlib from 'node:zlib'
import { SutureError } from '../../core/index.ts'

export type Compression = 'none' | 'gzip' | 'zstd'

type Codec = (bytes: Uint8Array, options?: object) => Uint8Array
const { zstdDecompressSync, zstdCompressSync } = zlib as unknown as {
  zstdDecompressSync?: Codec
  zstdCompressSync?: Codec
}

/** By the first bytes, whatever the name is. A zstd file may begin with a frame that is skipped. */
export function compressionOf(bytes: Uint8Array): Compression {
  const [first = 0, second, third, fourth] = bytes
  if (first === 0x1f && second === 0x8b) return 'gzip'
  if (first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd) return 'zstd'
  if (first >> 4 === 5 && second === 0x2a && third === 0x4d && fourth === 0x18) return 'zstd'
  return 'none'
}

/** Throws `bad-option` for a file that is cut short or damaged, and for one that gets larger than the limit. */
export async function decompress(bytes: Uint8Array, compression: Compression, limit: number): Promise<Uint8Array> {
  if (compression === 'none') return bytes
  const read = compression === 'gzip' ? gunzip : (zstdDecompressSync ?? (await unzstd()))
  try {
    return read(bytes, { maxOutputLength: limit })
  } catch (error) {
    throw new SutureError('bad-option', reasonOf(error as NodeJS.ErrnoException, compression, limit))
  }
}

function gunzip(bytes: Uint8Array, options?: object): Uint8Array {
  return zlib.gunzipSync(bytes, options)
}

const TOO_LARGE = 'ERR_BUFFER_TOO_LARGE'

function reasonOf({ code, message }: NodeJS.ErrnoException, compression: Compression, limit: number): string {
  if (code === TOO_LARGE)
    return `The file has more than ${Math.round(limit / 1e6)} MB when it is decompressed; such a session is not read.`
  return `The file is compressed with ${compression}, and is cut short or damaged: ${message}. Restore it from a backup, or decompress what can be read with \`${compression} -dc FILE > NEW\`.`
}

/** The package `fzstd`, piece by piece, because of the limit. It does not compare checksums. */
async function unzstd(): Promise<Codec> {
  let fzstd: { readonly Decompress: new (take: (piece: Uint8Array) => void) => Pusher }
  try {
    fzstd = await import('fzstd')
  } catch {
    throw new SutureError(
      'bad-option',
      'This file is compressed with zstd, which this Node cannot read. Run `npm install fzstd`, or use Node 22.15 or later.',
      {},
    )
  }
  return (bytes, { maxOutputLength = Number.POSITIVE_INFINITY }: { readonly maxOutputLength?: number } = {}) => {
    const pieces: Uint8Array[] = []
    let size = 0
    const stream = new fzstd.Decompress((piece) => {
      size += piece.length
      if (size > maxOutputLength) throw Object.assign(new Error('too large'), { code: TOO_LARGE })
      pieces.push(piece)
    })
    for (let at = 0; at < bytes.length; at += STEP)
      stream.push(bytes.subarray(at, at + STEP), at + STEP >= bytes.length)
    return Buffer.concat(pieces)
  }
}

interface Pusher {
  push(piece: Uint8Array, isLast: boolean): void
}

const STEP = 64 * 1024

/** Why a file of this compression cannot be written here, if so. */
export function cannotCompress(compression: Compression): string | undefined {
  if (compression !== 'zstd' || zstdCompressSync) return undefined
  return `the file is compressed with zstd, and Node ${process.versions.node} cannot write that. Use Node 22.15 or later, or write a plain file with --out`
}

export function compress(bytes: Uint8Array, compression: Compression): Uint8Array {
  if (compression === 'gzip') return zlib.gzipSync(bytes)
  return compression === 'zstd' ? zstdCompressSync!(bytes) : bytes
}
