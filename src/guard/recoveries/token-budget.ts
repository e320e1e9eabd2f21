/**
 * How much must go, in the tokens of the estimate at hand: the provider's own numbers, brought to its scale.
 */

import { windowOf } from '../../strategies/context-windows.ts'
import { byBytes } from '../../strategies/shrink.ts'
import type { Attempt } from './types.ts'

/** A little more than asked: estimates are estimates, and one more rejection costs more. */
const MARGIN = 1.1
/** Of a request of which only is known that it is too long, so much goes first. */
const BLIND = 0.35

export function tokensToRemove(attempt: Attempt, times: number): number {
  const { rejection, options } = attempt
  const { limit, actual } = rejection
  const total = tokensOfRequest(attempt)
  if (limit === 0 && actual !== undefined) return Math.ceil(actual * MARGIN)
  if (limit !== undefined && actual !== undefined && actual > limit) {
    const scale = Math.min(Math.max(total / actual, 0.1), 10)
    return Math.ceil((actual - limit) * scale * MARGIN) + 32
  }
  const known = limit ?? options.window
  const blind = Math.ceil(total * Math.min(BLIND * (times + 1), 0.9))
  // What is known by the model's name is no more than likely, so that less than a blind guess never goes.
  return Math.max(
    Math.ceil(total - (known ?? windowOf(attempt.model)) * 0.9),
    known === undefined ? blind : Math.ceil(blind / 2),
  )
}

/** Of what the provider takes, so much is made free beside what has to go. */
const ROOM = 0.1

/**
 * What should go beside what must: a conversation that is shrunk just enough is shrunk again a turn later, and each time its cached prefix is lost.
 * Where no limit is known, `needOf` has room in it already.
 */
export function extraHeadroom(attempt: Attempt): number {
  const { limit, actual } = attempt.rejection
  if (!limit || actual === undefined || actual <= limit) return 0
  return Math.floor(tokensOfRequest(attempt) * (limit / actual) * (attempt.options.headroom ?? ROOM))
}

/** Tokens of the whole request; pictures and files count next to nothing, as they do for the provider. */
export function tokensOfRequest({ body, options }: Pick<Attempt, 'body' | 'options'>): number {
  return tokensOf(body, options)
}

export function tokensOf(value: unknown, { estimate = byBytes }: Attempt['options']): number {
  return estimate(JSON.stringify(value, (_key, one) => (typeof one === 'string' && isData(one) ? '' : one)) ?? '')
}

/** Base64, as media has it: one long word of many different letters. */
function isData(text: string): boolean {
  if (text.startsWith('data:')) return true
  return text.length > 2000 && /^[A-Za-z0-9+/_-]{400}/.test(text) && new Set(text.slice(0, 400)).size > 20
}
