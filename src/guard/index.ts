/**
 * `suture/fetch`: a `fetch` that mends what goes through it, for any client that takes one.
 */
export { type Memory, type MemoryOptions, shrinkMemory } from '../strategies/shrink-memory.ts'
export type { About, Bytes, Counts, GuardEvent } from './events.ts'
export { type FetchOptions, guard, type Unsigned } from './fetch.ts'
export { type Middleware, middleware } from './middleware.ts'
export type { GuardOptions, Mode } from './options.ts'
export type { RecoveryId, RecoveryOptions, Summariser } from './recoveries/index.ts'
export { type Explanation, explain, type Refusal, type RefusalKind } from './refusals/index.ts'
