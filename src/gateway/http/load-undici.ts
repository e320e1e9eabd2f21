/** Loads the package undici with the first upstream: nothing else of the gateway or the command line needs it. */
import { createRequire } from 'node:module'
import type { Pool } from 'undici'
import { SutureError } from '../../core/index.ts'

type PoolClass = typeof Pool

/** With `require`, which is synchronous: a gateway is created without waiting. */
export function loadPool(): PoolClass {
  try {
    return (createRequire(import.meta.url)('undici') as { Pool: PoolClass }).Pool
  } catch (error) {
    const [why] = String((error as Error | undefined)?.message ?? error).split('\n')
    throw new SutureError(
      'package-missing',
      `The gateway needs the package undici to reach upstreams, and it could not be loaded (${why}). Run: npm install undici`,
      { package: 'undici' },
      { cause: error },
    )
  }
}
