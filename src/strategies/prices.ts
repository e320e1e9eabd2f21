/**
 * What a compaction costs and saves, in tokens of uncached input. A changed prefix must be written to the provider's
 * cache again, so a shorter history is not cheaper at once: the plan tells after how many requests it is.
 */

import type { OptionTable } from '../core/options.ts'

/** Prices relative to a token of uncached input. */
export interface Prices {
  /** A token read from the cache. */
  readonly read: number
  /** A token written to it. */
  readonly write: number
  /** A token of the answer. */
  readonly output: number
  /** Milliseconds after which a cache entry expires. */
  readonly ttlMs: number
}

export const PRICE_OPTIONS: OptionTable<Prices> = { read: 'number', write: 'number', output: 'number', ttlMs: 'number' }

/** Anthropic, with the five-minute cache. */
export const PRICES: Prices = { read: 0.1, write: 1.25, output: 5, ttlMs: 300_000 }
/** No cache at all. */
export const UNCACHED: Prices = { read: 1, write: 1, output: 5, ttlMs: Number.POSITIVE_INFINITY }

export interface CostChange {
  readonly before: number
  readonly after: number
  /** Tokens at the beginning that do not change. */
  readonly prefix: number
  /** Tokens of the summary, if a model has to write one. */
  readonly summary?: number | undefined
  readonly cold: boolean
}

/** After how many requests a compaction costs less than it saves. */
export interface BreakEven {
  /** Extra cost of the next request, compared with sending the history as it is. */
  readonly cost: number
  /** What each later request saves. */
  readonly saving: number
  /** After this many requests the saving exceeds the cost. 0: at once. Undefined: never. */
  readonly requests: number | undefined
}

export function breakEvenOf(
  { before, after, prefix, summary, cold }: CostChange,
  { read, write, output }: Prices,
): BreakEven {
  const summaryCost = summary === undefined ? 0 : (cold ? Math.max(1, read) : read) * before + output * summary
  const now = cold ? write * before : read * before
  const then = cold ? write * after : read * prefix + write * (after - prefix)
  const each = read * (before - after)
  const once = summaryCost + then - now
  // `then` already includes the saving of the first request.
  const requests = each > 0 ? 1 + once / each : undefined
  return {
    cost: Math.round(once),
    saving: Math.round(each),
    requests: once <= 0 ? 0 : requests === undefined ? undefined : Math.ceil(requests - 1e-9),
  }
}

/** Whether the cache has expired since the last request. Without times it counts as warm. */
export function isCold(now: number | undefined, lastRequestAt: number | undefined, { ttlMs }: Prices): boolean {
  return now !== undefined && lastRequestAt !== undefined && now - lastRequestAt > ttlMs
}
