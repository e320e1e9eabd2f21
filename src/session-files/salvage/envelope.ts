/** Whether an object that was found inside a damaged line is a record of its own, or only a part of one. */
import { isObject } from '../../core/index.ts'

/** True for an object that is a whole record of the format. */
export type Envelope = (value: unknown) => boolean

/** A message that a streaming fallback spread into its characters has only numeric keys. */
export function isRecordObject(value: unknown): boolean {
  if (!isObject(value)) return false
  let isEmpty = true
  // No list of keys is made: this is asked for every record, and the first key decides.
  for (const key in value) {
    if (!/^\d+$/.test(key)) return true
    isEmpty = false
  }
  return isEmpty
}

/** For files of an unknown format: a record has the keys that all records before it have. */
export class LearnedEnvelope {
  private common: Set<string> | undefined

  learn(value: unknown): void {
    if (!isObject(value)) return
    if (this.common) for (const key of this.common) if (!Object.hasOwn(value, key)) this.common.delete(key)
    this.common ??= new Set(Object.keys(value))
  }

  fits(value: unknown): boolean {
    if (!isObject(value) || !isRecordObject(value)) return false
    const { common } = this
    if (!common || common.size === 0) return Object.keys(value).length > 0
    return [...common].every((key) => Object.hasOwn(value, key))
  }
}
