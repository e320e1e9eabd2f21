/** `suture/fetch`: a `fetch` that repairs requests, for any client that accepts one. */
export { type Memory, type MemoryOptions, shrinkMemory } from '../strategies/shrink-memory.ts'
export type { ByteCounts, EventContext, GuardEvent, RuleCounts } from './events.ts'
export { type FetchOptions, guard, type Unsigned } from './fetch.ts'
export { type Middleware, middleware } from './middleware.ts'
export type { GuardLevel, GuardOptions } from './options.ts'
export type { RecoveryId, RecoveryOptions, Summarizer } from './recoveries/index.ts'
export { type ErrorExplanation, explain, type Rejection, type RejectionKind } from './rejections/index.ts'
