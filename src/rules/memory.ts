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

/** The same for what is asked of nearly every message: a place in a short list is found ten times faster than a name. */
export function nearby<T>(name: string, make: (walk: Walk) => T): (walk: Walk) => T {
  const place = places++
  return (walk) => {
    const known = walk.near[place] as T | undefined
    if (known !== undefined) return known
    const value = shared(walk, name, make)
    while (walk.near.length <= place) walk.near.push(undefined)
    walk.near[place] = value
    return value
  }
}

let places = 0

/** Adds to the list under a key. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
