/**
 * Waits as long as the provider asks, or longer each time where it does not say, and sends the same bytes again.
 */
import type { Attempt, Recovered, Recovery } from './types.ts'

export const wait: Recovery = { id: 'wait', most: 4, try: waitAWhile }

const FIRST = 500
const LONGEST = 60_000

function waitAWhile({ body, refusal, tried, options }: Attempt): Recovered | undefined {
  const { longestWait = LONGEST, random = Math.random } = options
  const times = tried.filter((id) => id === 'wait').length
  const asked = refusal.wait
  // Earlier than asked is refused again; much later is the caller's to decide.
  if (asked !== undefined && asked > longestWait) return undefined
  const base = asked ?? FIRST * 2 ** times
  const jitter = asked === undefined ? base * random() : Math.min(base, 1000) * 0.25 * random()
  const ms = Math.round(Math.min(base + jitter, Math.max(longestWait, base)))
  return { id: 'wait', body, wait: ms, report: { rule: refusal.rule, wait: ms, asked: asked ?? null } }
}
