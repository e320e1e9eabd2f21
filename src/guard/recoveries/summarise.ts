/**
 * Opt-in: the oldest rounds leave the request for a summary of them that the caller's own function writes.
 * An empty or failed summary, or one that is no shorter than what it stands for, changes nothing.
 */
import { cutAt, cutFor } from './cut.ts'
import { bound } from './mend.ts'
import { needOf, tokensOf } from './sizes.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const summarise: Recovery = { id: 'summarise', most: 2, try: summariseOldest }

export const SUMMARY = '[Summary of the conversation so far]'

async function summariseOldest(attempt: Attempt): Promise<Recovered | undefined> {
  const { options, service, provider, model } = attempt
  if (!options.summarise) return undefined
  const need = needOf(attempt, attempt.tried.filter((id) => id === 'summarise').length)
  const cut = cutFor(attempt, need)
  if (!cut) return undefined
  const text = await options.summarise(cut.head, { provider, model, dialect: service.dialect.id })
  const [before, after] = [tokensOf(cut.head, options), tokensOf(text, options)]
  if (typeof text !== 'string' || text.trim() === '' || after >= before) return undefined
  const body = cutAt(attempt, cut, [service.dialect.say('user', `${SUMMARY}\n${text}`)])
  const report = { summarised: cut.at, kept: cut.tail.length, need, before, after }
  return { id: 'summarise', ...bound({ ...attempt, body }), report }
}
