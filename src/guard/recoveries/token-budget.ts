/** How many tokens must be removed, in the tokens of the estimate: the provider's own numbers, converted. */

import { windowOf } from '../../strategies/context-windows.ts'
import { byBytes } from '../../strategies/shrink.ts'
import { type Attempt, type RecoveryId, timesTried } from './types.ts'

/** A little more than required: estimates are inexact, and another rejection costs more. */
const MARGIN = 1.1
/** The share that is removed first if it is only known that a request is too long. */
const BLIND = 0.35

/** `id`: the recovery that removes them. It removes more each time. */
export function tokensToRemove(attempt: Attempt, id: RecoveryId): number {
  const { rejection, options } = attempt
  const { limit, actual } = rejection
  const total = tokensOfRequest(attempt)
  if (limit === 0 && actual !== undefined) return Math.ceil(actual * MARGIN)
  if (limit !== undefined && actual !== undefined && actual > limit) {
    const scale = Math.min(Math.max(total / actual, 0.1), 10)
    return Math.ceil((actual - limit) * scale * MARGIN) + 32
  }
  const known = limit ?? options.window
  const blind = Math.ceil(total * Math.min(BLIND * (timesTried(attempt, id) + 1), 0.9))
  // The window by the model's name is only likely, so at least the blind share is removed.
  return Math.max(
    Math.ceil(total - (known ?? windowOf(attempt.model)) * 0.9),
    known === undefined ? blind : Math.ceil(blind / 2),
  )
}

/** The share of the limit that is freed in addition. */
const ROOM = 0.1

/**
 * Additional tokens to remove: a conversation that is shrunk just enough is shrunk again a turn later, and loses its
 * cached prefix each time. If no limit is known, `needOf` includes some headroom already.
 */
export function extraHeadroom(attempt: Attempt): number {
  const { limit, actual } = attempt.rejection
  if (!limit || actual === undefined || actual <= limit) return 0
  return Math.floor(tokensOfRequest(attempt) * (limit / actual) * (attempt.options.headroom ?? ROOM))
}

/** Tokens of the whole request; images and files count almost nothing, as for the provider. */
export function tokensOfRequest({ body, options }: Pick<Attempt, 'body' | 'options'>): number {
  return tokensOf(body, options)
}

export function tokensOf(value: unknown, { estimate = byBytes }: Attempt['options']): number {
  return estimate(JSON.stringify(value, (_key, one) => (typeof one === 'string' && isData(one) ? '' : one)) ?? '')
}

/** Base64, as in media: one long word of many different characters. */
function isData(text: string): boolean {
  if (text.startsWith('data:')) return true
  return text.length > 2000 && /^[A-Za-z0-9+/_-]{400}/.test(text) && new Set(text.slice(0, 400)).size > 20
}
