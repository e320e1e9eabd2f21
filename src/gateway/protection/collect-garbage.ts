/**
 * Collects the garbage of large bodies. V8 lets garbage grow to some hundred megabytes before the first collection, on
 * top of everything that the memory limit counts.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** V8 collects the garbage of smaller bodies soon enough. */
const LARGE = 4 * 1024 * 1024
/** Garbage may take this fraction of the memory limit: an eighth. */
const FRACTION = 1 / 8

let left = 0
let collect: (() => void) | undefined

/** Called when a body of this size is no longer needed. A collection takes about 10 ms, less than parsing the body. */
export function leftBehind(bytes: number, limit: number): void {
  if (bytes < LARGE) return
  left += bytes
  if (left < limit * FRACTION) return
  left = 0
  collect ??= exposed()
  // Later: the caller may still refer to the body.
  setImmediate(collect)
}

/** V8's collector, without a flag on the command line. Other contexts of this process do not get it. */
function exposed(): () => void {
  setFlagsFromString('--expose-gc')
  const collector = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  return () => collector()
}
