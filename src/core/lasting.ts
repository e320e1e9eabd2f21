/**
 * What is remembered from one walk of a repair to the next. The outcome of a mend is walked again; plain messages that did not change
 * are carried over by reference, so what rules remember of them has to last too.
 */
import { isObject } from './json.ts'
import type { Walk } from './walk.ts'

/** What a rule remembers by no place. False: it has found something, and the next walk begins anew. */
export interface Lasting {
  readonly lasts: boolean
}

/** Takes over what lasts of the walk before the mends, unless some of it has to be found out anew. */
export function goesOn(walk: Walk, { plan, dialect, look, memory }: Walk): boolean {
  if (!look || plan !== walk.plan || dialect !== walk.dialect) return false
  const lasting = [...memory].filter(([, value]) => isObject(value) && typeof value['lasts'] === 'boolean')
  if (!lasting.every(([, value]) => (value as unknown as Lasting).lasts)) return false
  for (const [key, value] of lasting) walk.memory.set(key, value)
  return true
}
