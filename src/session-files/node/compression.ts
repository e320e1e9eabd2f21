/**
 * Gzip and zstd around a file. Reading zstd needs a Node that has it (22.15 and later) or the package `fzstd`; writing it needs such a Node.
 */
import * as zlib from 'node:zlib'
import { SutureError } from '../../core/index.ts'

export type Compression = 'none' | 'gzip' | 'zstd'

type Codec = (bytes: Uint8Array, options?: object) => Uint8Array
const { zstdDecompressSync, zstdCompressSync } = zlib as unknown as {
  zstdDecompressSync?: Codec
  zstdCompressSync?: Codec
}

export function compressionOf(bytes: Uint8Array): Compression {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip'
  if (bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd) return 'zstd'
  return 'none'
}

export async function decompress(bytes: Uint8Array, compression: Compression, limit: number): Promise<Uint8Array> {
  if (compression === 'none') return bytes
  if (compression === 'gzip') return zlib.gunzipSync(bytes, { maxOutputLength: limit })
  if (zstdDecompressSync) return zstdDecompressSync(bytes, { maxOutputLength: limit })
  let fzstd: { decompress(bytes: Uint8Array): Uint8Array }
  try {
    fzstd = await import('fzstd')
  } catch {
    throw new SutureError(
      'bad-option',
      'This file is compressed with zstd, which this Node cannot read. Run `npm install fzstd`, or use Node 22.15 or later.',
      {},
    )
  }
  return fzstd.decompress(bytes)
}

/** Why a file of this compression cannot be written here, if so. */
export function cannotCompress(compression: Compression): string | undefined {
  if (compression !== 'zstd' || zstdCompressSync) return undefined
  return `the file is compressed with zstd, and Node ${process.versions.node} cannot write that. Use Node 22.15 or later, or write a plain file with --out`
}

export function compress(bytes: Uint8Array, compression: Compression): Uint8Array {
  if (compression === 'gzip') return zlib.gzipSync(bytes)
  return compression === 'zstd' ? zstdCompressSync!(bytes) : bytes
}
