/**
 * Collects what large bodies leave behind. V8 lets garbage grow to some hundred megabytes before it collects it for the first time, on top of
 * everything that the memory limit counts.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Smaller bodies are collected by V8 soon enough. */
const LARGE = 4 * 1024 * 1024
/** The part of the limit that garbage may take. */
const PART = 8

let left = 0
let collect: (() => void) | undefined

/** A parsed body of this size is not needed any more. A collection takes some ten milliseconds, less than parsing what it collects. */
export function leftBehind(bytes: number, limit: number): void {
  if (bytes < LARGE) return
  left += bytes
  if (left < limit / PART) return
  left = 0
  collect ??= exposed()
  // Not now: the caller may still refer to it.
  setImmediate(collect)
}

/** The collector without a flag of the command line; other contexts of this process do not get it. */
function exposed(): () => void {
  setFlagsFromString('--expose-gc')
  const collector = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  return () => collector()
}
