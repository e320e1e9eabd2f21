/** One record as the bytes of one line, and ids for new records. */
import { jsonText } from '../../core/index.ts'
import { fingerprint } from '../fingerprint.ts'
import { bytesOf } from '../salvage/bytes.ts'

export function lineOf(value: unknown): Uint8Array {
  return bytesOf(jsonText(value) ?? 'null')
}

/** A UUID that depends only on the texts: repairing the same file twice gives the same bytes. */
export function uuidFrom(...texts: readonly string[]): string {
  const hex = fingerprint(texts)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
