/** The model's own output was bad: nothing in the request caused it, so the same request is sent once more. */
import type { Attempt, Recovered, Recovery } from './types.ts'

export const resend: Recovery = { id: 'resend', maxTimes: 2, try: sendAgain }

function sendAgain({ body, rejection }: Attempt): Recovered {
  return { id: 'resend', body, report: { rule: rejection.rule } }
}
