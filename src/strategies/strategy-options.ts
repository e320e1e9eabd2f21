/** What a compaction may do, and in which order. */
import { checkOptions, nested, type OptionTable, unknownName } from '../core/options.ts'
import type { Budget } from './budget.ts'

/**
 * `shrink`: shorten large tool results · `clear`: replace old tool results by a sentence · `reasoning`: remove
 * reasoning of finished turns · then one of `summary`: replace the oldest messages by a summary · `drop`: remove them
 * with a note. They run in order until the history fits.
 */
export type Strategy = 'shrink' | 'clear' | 'reasoning' | 'drop' | 'summary'

export interface StrategySettings {
  readonly ladder: readonly Strategy[]
  /** Results over `overTokens` are shortened to `toTokens`; `hint` tells the model how to get the rest. */
  readonly shrink: { readonly overTokens: number; readonly toTokens: number; readonly hint?: string }
  readonly clear: {
    /** The newest tokens of the history that are not changed. */
    readonly keepTokens: number
    /** Clear at least this many tokens at once, in multiples of it: each change invalidates the provider's cache. */
    readonly minReclaimTokens: number
    /** Names of tools whose results are never cleared. */
    readonly exempt: readonly string[]
    /** Clear early if it pays within this many requests; 0: never. Default: half of those that gathered the results. */
    readonly payback: number | undefined
  }
  readonly summary: {
    /** `digest`: an extract, made without a model. `model`: the plan waits for a summary. */
    readonly method: 'digest' | 'model'
    /** Maximum length of the summary in tokens. */
    readonly maxTokens: number
  }
  /** At least this many rounds stay whole. */
  readonly keepRounds: number
}

/** Settings of the strategies, by name. */
export type StrategyOptions = {
  readonly [K in keyof StrategySettings]?: StrategySettings[K] extends readonly unknown[] | number
    ? StrategySettings[K]
    : Partial<StrategySettings[K]>
}

/** Small compared with a context window, large compared with the sentences that replace cleared results. */
const RECLAIM = 8_000
const STRATEGIES: readonly Strategy[] = ['shrink', 'clear', 'reasoning', 'drop', 'summary']

const SHRINK: OptionTable<StrategySettings['shrink']> = { overTokens: 'number', toTokens: 'number', hint: 'string' }
const CLEAR: OptionTable<StrategySettings['clear']> = {
  keepTokens: 'number',
  minReclaimTokens: 'number',
  exempt: 'strings',
  payback: 'number',
}
const SUMMARY: OptionTable<StrategySettings['summary']> = { method: ['digest', 'model'], maxTokens: 'number' }

export const STRATEGY_OPTIONS: OptionTable<StrategyOptions> = {
  ladder: 'list',
  shrink: nested('strategies.shrink', SHRINK),
  clear: nested('strategies.clear', CLEAR),
  summary: nested('strategies.summary', SUMMARY),
  keepRounds: 'count',
}

/** The strategies with defaults; they are smaller for a small budget. */
export function strategiesOf(options: StrategyOptions = {}, budget: Budget): StrategySettings {
  checkOptions('strategies', options, STRATEGY_OPTIONS)
  const ladder = options.ladder ?? ['shrink', 'clear', 'reasoning', 'summary']
  for (const name of ladder) {
    if (!STRATEGIES.includes(name)) throw unknownName('strategy', String(name), STRATEGIES, ' in "ladder"')
  }
  return {
    ladder,
    shrink: { overTokens: 10_000, toTokens: 4_000, ...options.shrink },
    clear: {
      keepTokens: Math.min(12_000, Math.floor(budget.goal / 2)),
      minReclaimTokens: Math.min(RECLAIM, Math.floor(budget.limit / 8)),
      exempt: [],
      payback: undefined,
      ...options.clear,
    },
    summary: { method: 'digest', maxTokens: Math.min(4_000, Math.floor(budget.goal / 5)), ...options.summary },
    keepRounds: options.keepRounds ?? 1,
  }
}
