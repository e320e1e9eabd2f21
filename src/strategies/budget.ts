/**
 * The limit of a history and its size: from the usage that the provider reported for the last request, and an estimate
 * of what came after. Reported totals are never added up: each of them already counts everything before it.
 */
import { SutureError } from '../core/index.ts'
import { checkOptions, given, type OptionTable } from '../core/options.ts'
import { windowOf } from './context-windows.ts'

/** What the budget is made of. */
export interface BudgetOptions {
  /** Tokens of the context window. Default: by the model's name. */
  readonly window?: number | undefined
  /** Tokens of the window that are reserved for the answer. */
  readonly reserve?: number | undefined
  /** Share of the rest at which a compaction is due. */
  readonly trigger?: number | undefined
  /** Share to which a compaction reduces the history. */
  readonly target?: number | undefined
  /** Tokens at which a compaction is due, instead of the share. */
  readonly limit?: number | undefined
  /** Tokens to which a compaction reduces the history. */
  readonly goal?: number | undefined
}

/** Values are checked in `budgetOf`. */
export const BUDGET_OPTIONS: OptionTable<BudgetOptions> = {
  window: 'any',
  reserve: 'any',
  trigger: 'any',
  target: 'any',
  limit: 'any',
  goal: 'any',
}

/** How many tokens a history may have, and from which number on it is shortened. */
export interface Budget {
  readonly window: number
  /** Tokens at which a compaction is due. */
  readonly limit: number
  /** Tokens to which a cut reduces the history. */
  readonly goal: number
  /** Tokens at which the milder strategies stop: half way between. */
  readonly ease: number
}

const RESERVE = 16_000
const TRIGGER = 0.6
const TARGET = 0.2

/** Explicit fields override what is known about the model. */
export function budgetOf(model: string | undefined, options: BudgetOptions = {}): Budget {
  checkOptions('budget', options, BUDGET_OPTIONS)
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || (typeof value === 'number' && value >= 0)) continue
    throw new SutureError('bad-option', `Option "budget.${name}" must be a number from 0, but got ${given(value)}.`, {
      [name]: value,
    })
  }
  const window = options.window ?? windowOf(model)
  const usable = Math.max(0, window - Math.min(options.reserve ?? RESERVE, window / 2))
  const limit = options.limit ?? Math.floor(usable * (options.trigger ?? TRIGGER))
  const share = options.target ?? (options.limit === undefined ? TARGET : undefined)
  const goal = Math.min(limit, options.goal ?? (share === undefined ? limit : Math.floor(usable * share)))
  return { window, limit, goal, ease: Math.floor((limit + goal) / 2) }
}

/** The usage that the provider reported for the last request. */
export interface Usage {
  /** Tokens of the whole prompt, including cached ones. */
  readonly input: number
  readonly output?: number | undefined
  /** Number of messages that are counted, including the answer if `output` is given. Default: to the last answer. */
  readonly messages?: number | undefined
}

export const USAGE: OptionTable<Usage> = { input: 'any', output: 'any', messages: 'any' }

export interface Measure {
  /** Tokens of the history with everything that is sent around it. */
  readonly total: number
  /** Tokens outside the history: system prompt, declared tools, and the error of the estimate. */
  readonly around: number
  /** Factor for the estimates of messages. */
  readonly scale: number
  readonly reported: boolean
}

/** `sums[i]`: estimated tokens of the messages before index i. `answered`: the index after the last answer. */
export function measure(sums: Float64Array, around: number, usage: Usage | undefined, answered: number): Measure {
  const all = sums[sums.length - 1]!
  const input = usage && Number.isFinite(usage.input) ? usage.input : 0
  // A report of zeros is ignored: some relays fill the field without counting.
  if (input <= 0) return { total: all + around, around, scale: 1, reported: false }
  const covered = Math.min(usage!.messages ?? answered, sums.length - 1)
  const reported = input + Math.max(0, usage!.output ?? 0)
  const known = sums[covered]!
  const scale = known > reported ? reported / known : 1
  const rest = Math.max(0, reported - known * scale)
  return { total: rest + all * scale, around: rest, scale, reported: true }
}
