/**
 * Finding and replacing values in JSON bytes without serializing the rest again.
 */
import { endOfKnownValue } from './end-of-known-value.ts'
import { type JsonObject, type Members, membersOf as membersAt, startOf } from './scan.ts'

export type { Members } from './scan.ts'
export { splice } from './splice.ts'

/**
 * Where the members of a JSON object are in its bytes; `arrayKey`: and the elements of this one. `parsed`: the object.
 * Undefined if a key is repeated, or if the bytes do not match the parsed object.
 */
export function membersOf(bytes: Uint8Array, parsed: JsonObject, arrayKey?: string): Members | undefined {
  try {
    return membersAt(bytes, startOf(bytes), parsed, endOfKnownValue, arrayKey)
  } catch {
    return undefined
  }
}
