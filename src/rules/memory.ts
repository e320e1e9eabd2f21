/**
 * What several rules remember together along one walk.
 */
import type { Walk } from '../core/index.ts'

/** The value under a name that the rules share, made when first asked for. Who asks for every call names a function: a new one each time is garbage. */
export function shared<T>(walk: Walk, name: string, make: (walk: Walk) => T): T {
  let value = walk.memory.get(name) as T | undefined
  if (value === undefined) {
    value = make(walk)
    walk.memory.set(name, value)
  }
  return value
}
