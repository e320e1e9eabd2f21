/**
 * What a compaction may do, in which order, and when.
 */
import { SutureError } from '../core/index.ts'
import { checkOptions, nested, type OptionTable, unknownName } from '../core/options.ts'
import type { Budget } from './budget.ts'

/**
 * `shrink` large tool results · `clear` old ones · `reasoning` of finished turns goes · then one of: `summary` for the oldest messages,
 * `drop` them with a note that says so. The first that is enough is the last that is done.
 */
export type Strategy = 'shrink' | 'clear' | 'reasoning' | 'drop' | 'summary'

export interface Policy {
  readonly ladder: readonly Strategy[]
  /** Results of more than `over` tokens are cut to `to`; `hint` tells the model how to get at the rest. */
  readonly shrink: { readonly over: number; readonly to: number; readonly hint?: string }
  readonly clear: {
    /** The newest so many tokens of the history are not touched. */
    readonly keep: number
    /** Less than this is not worth a changed prefix; what goes at once is a multiple of it. */
    readonly minReclaim: number
    /** Tools whose results stay. */
    readonly exempt: readonly string[]
    /** Clear before it is due if that pays within so many requests; 0: only when due. By default within half of those it took to gather. */
    readonly payback: number | undefined
  }
  readonly summary: {
    /** `digest`: without a model. `ask`: the plan waits for a summary. */
    readonly by: 'digest' | 'ask'
    /** Tokens it may take. */
    readonly max: number
  }
  /** At least so many rounds stay whole. */
  readonly keepRounds: number
}

export type PolicyOptions = {
  readonly [K in keyof Policy]?: Policy[K] extends readonly unknown[] | number ? Policy[K] : Partial<Policy[K]>
}

/** Small beside a window, large beside the sentences that stand for what went. */
const RECLAIM = 8_000
const STRATEGIES: readonly Strategy[] = ['shrink', 'clear', 'reasoning', 'drop', 'summary']

const SHRINK: OptionTable<Policy['shrink']> = { over: 'number', to: 'number', hint: 'string' }
const CLEAR: OptionTable<Policy['clear']> = {
  keep: 'number',
  minReclaim: 'number',
  exempt: 'strings',
  payback: 'number',
}
const SUMMARY: OptionTable<Policy['summary']> = { by: ['digest', 'ask'], max: 'number' }

export const POLICY_OPTIONS: OptionTable<PolicyOptions> = {
  ladder: 'list',
  shrink: nested('policy.shrink', SHRINK),
  clear: nested('policy.clear', CLEAR),
  summary: nested('policy.summary', SUMMARY),
  keepRounds: 'count',
}

/** The policy with what was not said, in proportion to a small budget. */
export function policyOf(options: PolicyOptions = {}, budget: Budget): Policy {
  checkOptions('policy', options, POLICY_OPTIONS)
  const ladder = options.ladder ?? ['shrink', 'clear', 'reasoning', 'summary']
  for (const name of ladder) {
    if (STRATEGIES.includes(name)) continue
    const { message } = unknownName('strategy', String(name), STRATEGIES, ' in "ladder"')
    throw new SutureError('unknown-policy', message, { name })
  }
  return {
    ladder,
    shrink: { over: 10_000, to: 4_000, ...options.shrink },
    clear: {
      keep: Math.min(12_000, Math.floor(budget.goal / 2)),
      minReclaim: Math.min(RECLAIM, Math.floor(budget.limit / 8)),
      exempt: [],
      payback: undefined,
      ...options.clear,
    },
    summary: { by: 'digest', max: Math.min(4_000, Math.floor(budget.goal / 5)), ...options.summary },
    keepRounds: options.keepRounds ?? 1,
  }
}
