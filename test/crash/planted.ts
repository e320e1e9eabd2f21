/**
 * Stores with a bug each, of the kinds that others had. The matrix must catch every one: a test that cannot fail says nothing.
 */
import type { Store } from '../../src/session-door.ts'
import type { SqliteHandle } from '../../src/stores/sqlite.ts'

type Plant = (real: Store, handle: SqliteHandle) => Store

export const planted = {
  /** Nothing is synced to the disk. */
  'no-sync': (real, handle) => {
    handle.exec('PRAGMA synchronous = OFF')
    return real
  },
} satisfies Record<string, Plant>

export type Planted = keyof typeof planted
