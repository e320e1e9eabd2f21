/** Finding and replacing values in JSON bytes without serializing the rest again. */
import { type JsonObject, type Members, membersOf as membersAt } from './members.ts'
import { startOf } from './scan.ts'

export type { Members } from './members.ts'
export { splice } from './splice.ts'

/**
 * Where the members of a JSON object are in its bytes; `arrayKey`: and the elements of this one. `parsed`: the object.
 * Undefined if a key is repeated, or if the bytes do not match the parsed object.
 */
export function membersOf(bytes: Uint8Array, parsed: JsonObject, arrayKey?: string): Members | undefined {
  try {
    return membersAt(bytes, startOf(bytes), parsed, arrayKey)
  } catch {
    return undefined
  }
}
