/**
 * A text that was spread into an object: `{ "0": "{", "1": "\"", … }`.
 */
import type { JsonObject } from '../../core/index.ts'

export function spreadText(value: JsonObject): string | undefined {
  // Nearly all messages end here, before a list of keys is made.
  if (value['0'] === undefined || value['1'] === undefined) return undefined
  const keys = Object.keys(value).filter((key) => /^\d+$/.test(key))
  if (keys.length < 2) return undefined
  let text = ''
  for (let i = 0; i < keys.length; i++) {
    const char = value[String(i)]
    if (typeof char !== 'string' || char.length > 2) return undefined
    text += char
  }
  return text
}
