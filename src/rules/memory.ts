/**
 * What several rules remember together along one walk.
 */
import type { Walk } from '../core/index.ts'

/** The value under a name that the rules share, made when first asked for. */
export function shared<T>(walk: Walk, name: string, make: () => T): T {
  let value = walk.memory.get(name) as T | undefined
  if (value === undefined) {
    value = make()
    walk.memory.set(name, value)
  }
  return value
}
