/**
 * Counts identical calls in a row: the same tool with the same arguments, in any order of keys.
 */
import { isObject } from '../core/index.ts'

export class Repeats {
  private last = ''
  private times = 0

  /** Counts this call. Returns how many identical calls in a row there are with it. */
  count(name: string, input: unknown): number {
    const key = `${name} ${JSON.stringify(input, sorted)}`
    this.times = key === this.last ? this.times + 1 : 1
    this.last = key
    return this.times
  }
}

function sorted(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
