import { checkOptions, checkValue, nested, type OptionTable } from '../core/options.ts'
import { failed, finish } from './plan-cut.ts'
import { isPlan, type Plan, type Reason } from './plan-types.ts'
import type { Summarize } from './summary-request.ts'

/** Options of a `CircuitBreaker`. */
export interface CircuitBreakerOptions {
  /** No more attempts after this many failures in a row. Default 3. */
  readonly maxFailures?: number
  /** No attempts after `times` compactions in a row with fewer new messages each. Default: 4 messages, 3 times. */
  readonly thrash?: { readonly messages: number; readonly times: number }
}

const THRASH: OptionTable<NonNullable<CircuitBreakerOptions['thrash']>> = { messages: 'number', times: 'number' }
const OPTIONS: OptionTable<CircuitBreakerOptions> = {
  maxFailures: 'number',
  thrash: nested('CircuitBreaker.thrash', THRASH),
}

interface State {
  failures: number
  lastLength: number
  quick: number
  flight: Promise<Plan> | undefined
}

const UNDER_WAY: Reason = { code: 'under-way', message: 'This conversation is being summarized already.' }

/**
 * Limits attempts to summarize: one at a time per key, none after three failures in a row, and none if compactions
 * follow each other without new messages in between.
 */
export class CircuitBreaker {
  private readonly states = new Map<string, State>()
  private readonly maxFailures: number
  private readonly thrash: { readonly messages: number; readonly times: number }

  constructor(options: CircuitBreakerOptions = {}) {
    checkOptions('CircuitBreaker', options, OPTIONS)
    const { maxFailures = 3, thrash = { messages: 4, times: 3 } } = options
    this.maxFailures = maxFailures
    this.thrash = thrash
  }

  /** The reason if no attempt is allowed for this key now. */
  blocks(key: string, length: number): Reason | undefined {
    const state = this.states.get(key)
    if (!state) return undefined
    // Never wait here: a summarizer that asks for a compaction would wait for itself.
    if (state.flight) return UNDER_WAY
    if (state.failures >= this.maxFailures)
      return {
        code: 'summary-failed',
        message: `${state.failures} summaries failed in a row. Call reset() to try again.`,
      }
    if (state.quick >= this.thrash.times && length - state.lastLength < this.thrash.messages)
      return {
        code: 'not-enough',
        message: 'Compactions follow each other and save nothing: the messages that must stay are too large.',
      }
    return undefined
  }

  reset(key: string): void {
    this.states.delete(key)
  }

  /** Completes the plan with a summary. Calls for the same key share one promise while it runs. */
  finish(key: string, plan: Plan, summarize: Summarize, signal?: AbortSignal): Promise<Plan> {
    checkValue('The plan', plan, isPlan)
    checkValue('The summarizer', summarize, 'function')
    const state = this.stateOf(key)
    if (state.flight) return state.flight
    // Registered before the summarizer is called: it may ask for a compaction itself.
    const flight = Promise.resolve()
      .then(() => this.run(state, plan, summarize, signal))
      .finally(() => {
        if (state.flight === flight) state.flight = undefined
      })
    state.flight = flight
    return flight
  }

  /** Call this after a compaction was applied, with the number of messages before and after. */
  applied(key: string, before: number, after: number): void {
    checkValue('The length before', before, 'number')
    checkValue('The length after', after, 'number')
    const state = this.stateOf(key)
    state.quick = state.lastLength > 0 && before - state.lastLength < this.thrash.messages ? state.quick + 1 : 0
    state.lastLength = after
  }

  private async run(state: State, plan: Plan, summarize: Summarize, signal?: AbortSignal): Promise<Plan> {
    if (plan.needs === 'nothing') return plan
    try {
      const done = finish(plan, await summarize(plan.summaryInput))
      state.failures = done.changesAnything ? 0 : state.failures + 1
      return done
    } catch (error) {
      // An abort is not a failure.
      if (!signal?.aborted) state.failures++
      return failed(plan, `The summarizer failed: ${String((error as Error | undefined)?.message ?? error)}`)
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
