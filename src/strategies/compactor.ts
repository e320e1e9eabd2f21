/**
 * What is around a summary that can fail: one at a time for each key, three failures in a row and it rests, never inside itself,
 * and never again and again without new messages between.
 */

import { checkOptions, checkValue, nested, type OptionTable } from '../core/options.ts'
import type { Summarise } from './ask.ts'
import { isPlan, type Plan, type Reason } from './plan-types.ts'
import { failed, finish } from './summary.ts'

export interface BreakerOptions {
  /** Failures in a row after which it rests. */
  readonly failures?: number
  /** A compaction that comes before so many new messages counts as thrashing; so many of them in a row stop it. */
  readonly thrash?: { readonly messages: number; readonly times: number }
}

const THRASH: OptionTable<NonNullable<BreakerOptions['thrash']>> = { messages: 'number', times: 'number' }
const BREAKER: OptionTable<BreakerOptions> = { failures: 'number', thrash: nested('Breaker.thrash', THRASH) }

interface State {
  failures: number
  lastLength: number
  quick: number
  flight: Promise<Plan> | undefined
}

/** A summary for the same conversation is being written, by somebody else or by the very one who asks. */
export const UNDER_WAY: Reason = { code: 'under-way', says: 'This conversation is being summarised already.' }

export class Breaker {
  private readonly states = new Map<string, State>()
  private readonly most: number
  private readonly thrash: { readonly messages: number; readonly times: number }

  constructor(options: BreakerOptions = {}) {
    checkOptions('Breaker', options, BREAKER)
    const { failures = 3, thrash = { messages: 4, times: 3 } } = options
    this.most = failures
    this.thrash = thrash
  }

  /** Why nothing is tried for this key, if so. */
  refuses(key: string, length: number): Reason | undefined {
    const state = this.states.get(key)
    if (!state) return undefined
    // Said at once: whoever waited for it from inside the summariser would wait for himself.
    if (state.flight) return UNDER_WAY
    if (state.failures >= this.most)
      return { code: 'summary-failed', says: `${state.failures} summaries failed in a row; call reset() to try again.` }
    if (state.quick >= this.thrash.times && length - state.lastLength < this.thrash.messages)
      return {
        code: 'not-enough',
        says: 'Compaction follows compaction without room gained: what is kept is too large.',
      }
    return undefined
  }

  reset(key: string): void {
    this.states.delete(key)
  }

  /** The plan finished by the summariser. Calls for one key while it works share its promise. */
  finish(key: string, plan: Plan, summarise: Summarise, signal?: AbortSignal): Promise<Plan> {
    checkValue('The plan', plan, isPlan)
    checkValue('The summariser', summarise, 'function')
    const state = this.stateOf(key)
    if (state.flight) return state.flight
    // Known to be under way before the summariser is called: it may ask again itself.
    const flight = Promise.resolve()
      .then(() => this.run(state, plan, summarise, signal))
      .finally(() => {
        if (state.flight === flight) state.flight = undefined
      })
    state.flight = flight
    return flight
  }

  /** After a compaction was applied: how long the history is now, and how long it was. */
  applied(key: string, before: number, after: number): void {
    checkValue('The length before', before, 'number')
    checkValue('The length after', after, 'number')
    const state = this.stateOf(key)
    state.quick = state.lastLength > 0 && before - state.lastLength < this.thrash.messages ? state.quick + 1 : 0
    state.lastLength = after
  }

  private async run(state: State, plan: Plan, summarise: Summarise, signal?: AbortSignal): Promise<Plan> {
    if (plan.needs === 'nothing') return plan
    try {
      const done = finish(plan, await summarise(plan.ask))
      state.failures = done.acts ? 0 : state.failures + 1
      return done
    } catch (error) {
      // An abort is the user's and no failure.
      if (!signal?.aborted) state.failures++
      return failed(plan, `The summariser failed: ${String((error as Error | undefined)?.message ?? error)}`)
    }
  }

  private stateOf(key: string): State {
    const known = this.states.get(key)
    if (known) return known
    const state: State = { failures: 0, lastLength: 0, quick: 0, flight: undefined }
    this.states.set(key, state)
    return state
  }
}
