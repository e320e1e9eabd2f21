/**
 * Runs the turns of one session one after the other, and work of one name once at a time, within this process. Across
 * processes the head decides (`conflict`), or a lease.
 */
const waiting = new WeakMap<object, Map<string, Promise<unknown>>>()
const running = new WeakMap<object, Map<string, Promise<unknown>>>()

/** Runs the work after all earlier work of this key; a failure does not affect the next one. */
export function oneByOne<T>(owner: object, key: string, work: () => Promise<T>): Promise<T> {
  const queues = mapOf(waiting, owner)
  const run = (queues.get(key) ?? Promise.resolve()).then(work)
  const settled = run.then(
    () => {},
    () => {},
  )
  queues.set(key, settled)
  // Only the last one in the queue removes the key.
  settled.then(() => queues.get(key) === settled && queues.delete(key))
  return run
}

/** Runs the work, or joins the run of this key that is in progress: all callers get its outcome. */
export function shared<T>(owner: object, key: string, work: () => Promise<T>): Promise<T> {
  const runs = mapOf(running, owner)
  const known = runs.get(key) as Promise<T> | undefined
  if (known) return known
  const clear = () => void (runs.get(key) === run && runs.delete(key))
  const run: Promise<T> = Promise.resolve(work()).finally(clear)
  runs.set(key, run)
  return run
}

/** Number of keys in use; a test checks that none is leaked. */
export function inUse(owner: object): number {
  return mapOf(waiting, owner).size + mapOf(running, owner).size
}

function mapOf(maps: WeakMap<object, Map<string, Promise<unknown>>>, owner: object): Map<string, Promise<unknown>> {
  let map = maps.get(owner)
  if (!map) {
    map = new Map()
    maps.set(owner, map)
  }
  return map
}
