/**
 * How large a history may get, and how large it is: from what the provider reported about the last request, and an estimate of what came after.
 * Never a sum of reported totals: each of them already counts everything before it.
 */
import { SutureError } from '../core/index.ts'
import { checkOptions, given, type OptionTable } from '../core/options.ts'
import { windowOf } from './context-windows.ts'

export interface BudgetOptions {
  /** Tokens the model takes; by its name where absent. */
  readonly window?: number | undefined
  /** Of these, kept free for the answer. */
  readonly reserve?: number | undefined
  /** At this share of what is left a compaction is due. */
  readonly trigger?: number | undefined
  /** A compaction brings the history down to this share. */
  readonly target?: number | undefined
  /** Tokens at which a compaction is due, whatever the model. */
  readonly limit?: number | undefined
  /** Tokens it brings the history down to. */
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

export interface Budget {
  readonly window: number
  /** From here on a compaction is due. */
  readonly limit: number
  /** Where the last resort, a cut, lands. */
  readonly goal: number
  /** Where the milder strategies may stop: half way between. */
  readonly ease: number
}

const RESERVE = 16_000
const TRIGGER = 0.6
const TARGET = 0.2

/** What is said field by field wins over what is known of the model. */
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

/** What the provider said about the last request. */
export interface Usage {
  /** Tokens of the whole prompt, those read from a cache included. */
  readonly input: number
  readonly output?: number | undefined
  /** So many messages of the history it counts: those sent, and the answer if `output` is given. Else up to the last answer. */
  readonly messages?: number | undefined
}

export const USAGE: OptionTable<Usage> = { input: 'any', output: 'any', messages: 'any' }

export interface Measure {
  /** Tokens of the history with everything that is sent around it. */
  readonly total: number
  /** What is sent around it: system prompt, declared tools, and by how much the estimate was off. */
  readonly around: number
  /** By how much the estimates of messages are scaled. */
  readonly scale: number
  readonly reported: boolean
}

/** `sums[i]`: estimated tokens of the messages before place i. `answered`: the place after the last answer. */
export function measure(sums: Float64Array, around: number, usage: Usage | undefined, answered: number): Measure {
  const all = sums[sums.length - 1]!
  const input = usage && Number.isFinite(usage.input) ? usage.input : 0
  // A report of zeros is no report: some relays fill the field and count nothing.
  if (input <= 0) return { total: all + around, around, scale: 1, reported: false }
  const covered = Math.min(usage!.messages ?? answered, sums.length - 1)
  const reported = input + Math.max(0, usage!.output ?? 0)
  const known = sums[covered]!
  const scale = known > reported ? reported / known : 1
  const rest = Math.max(0, reported - known * scale)
  return { total: rest + all * scale, around: rest, scale, reported: true }
}
