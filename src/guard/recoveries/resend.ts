/**
 * The model's own output was bad: nothing in the request caused it, so the same request goes out once more.
 */
import type { Attempt, Recovered, Recovery } from './types.ts'

export const resend: Recovery = { id: 'resend', most: 2, try: sendAgain }

function sendAgain({ body, refusal }: Attempt): Recovered {
  return { id: 'resend', body, report: { rule: refusal.rule } }
}
