/** Counts identical calls in a row: the same tool with the same arguments, in any order of keys. */
import { sortedKeys } from '../core/index.ts'

export class Repeats {
  private last = ''
  private times = 0

  /** Counts this call. Returns how many identical calls in a row there are with it. */
  count(name: string, input: unknown): number {
    const key = `${name} ${JSON.stringify(input, sortedKeys)}`
    this.times = key === this.last ? this.times + 1 : 1
    this.last = key
    return this.times
  }
}
