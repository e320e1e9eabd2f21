/** What a compaction did, in numbers and names: small enough for a log, and without content of the conversation. */
import type { Plan } from './plan-types.ts'

/** Stored in the session log with the patch: field names must not change. */
export interface Receipt {
  readonly before: number
  readonly after: number
  readonly messages: { readonly before: number; readonly after: number }
  readonly strategies: readonly string[]
  readonly cut?: string
  /** Names of the rounds that changed. */
  readonly rounds: readonly string[]
  readonly why: readonly string[]
  readonly fits: boolean
  readonly lostPins: number
  readonly paysAfter: number | undefined
}

/** A compaction in the log. */
export interface LoggedCompaction {
  readonly position: number
  readonly why: string
  readonly receipt: Receipt
  readonly at?: string
  /** It was undone. */
  readonly undone: boolean
}

export function receiptOf(before: unknown, after: unknown, plan: Plan): Receipt {
  const { tokens, steps, rounds, why, fits, pins, breakEven } = plan
  const cut = steps.find((step) => step.cut !== undefined)?.cut
  return {
    before: tokens.before,
    after: tokens.after,
    messages: { before: lengthOf(before), after: lengthOf(after) },
    strategies: steps.map(({ strategy }) => strategy),
    ...(cut === undefined ? {} : { cut }),
    rounds,
    why: why.map(({ code }) => code),
    fits,
    lostPins: pins.filter(({ present }) => !present).length,
    paysAfter: breakEven.requests,
  }
}

function lengthOf(input: unknown): number {
  if (Array.isArray(input)) return input.length
  const body = (input ?? {}) as Readonly<Record<string, unknown>>
  const list = body['messages'] ?? body['input'] ?? body['contents']
  return Array.isArray(list) ? list.length : 0
}
