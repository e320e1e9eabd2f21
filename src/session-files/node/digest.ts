/** SHA-256 and size of bytes. */
import { createHash } from 'node:crypto'

export interface Digest {
  readonly sha256: string
  readonly size: number
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export function digestOf(bytes: Uint8Array): Digest {
  return { sha256: sha256Of(bytes), size: bytes.length }
}
