/**
 * What a compaction costs and saves, in tokens of plain input. A changed prefix is written to the provider's cache again,
 * so shorter is not always cheaper: the plan says after how many requests it is.
 */

import type { OptionTable } from '../core/options.ts'

/** Prices relative to a token of plain input. */
export interface Prices {
  /** A token read from the cache. */
  readonly read: number
  /** A token written to it. */
  readonly write: number
  /** A token of the answer. */
  readonly output: number
  /** Milliseconds after which a cache is gone. */
  readonly ttl: number
}

export const PRICE_OPTIONS: OptionTable<Prices> = { read: 'number', write: 'number', output: 'number', ttl: 'number' }

/** Anthropic's, with the cache of five minutes. */
export const PRICES: Prices = { read: 0.1, write: 1.25, output: 5, ttl: 300_000 }
/** No cache at all. */
export const UNCACHED: Prices = { read: 1, write: 1, output: 5, ttl: Number.POSITIVE_INFINITY }

export interface Change {
  readonly before: number
  readonly after: number
  /** Tokens at the beginning that stay as they were. */
  readonly prefix: number
  /** The summary a model has to write, if one has to. */
  readonly summary?: number | undefined
  readonly cold: boolean
}

export interface Pays {
  /** What it costs more at once, against sending the history as it is. */
  readonly once: number
  /** What each later request costs less. */
  readonly each: number
  /** After so many requests it has paid for itself; 0: at once; undefined: never. */
  readonly after: number | undefined
}

export function paysOf({ before, after, prefix, summary, cold }: Change, { read, write, output }: Prices): Pays {
  const asked = summary === undefined ? 0 : (cold ? Math.max(1, read) : read) * before + output * summary
  const now = cold ? write * before : read * before
  const then = cold ? write * after : read * prefix + write * (after - prefix)
  const each = read * (before - after)
  const once = asked + then - now
  // The first request has its share of `each` in `then` already.
  const requests = each > 0 ? 1 + once / each : undefined
  return {
    once: Math.round(once),
    each: Math.round(each),
    after: once <= 0 ? 0 : requests === undefined ? undefined : Math.ceil(requests - 1e-9),
  }
}

/** The cache is gone: the last request is longer ago than it lives. Without a time it counts as warm. */
export function isCold(now: number | undefined, lastRequestAt: number | undefined, { ttl }: Prices): boolean {
  return now !== undefined && lastRequestAt !== undefined && now - lastRequestAt > ttl
}
