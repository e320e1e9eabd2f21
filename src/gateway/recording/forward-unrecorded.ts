/**
 * Forwards a request of a recorded session without recording it. Recording never stops a request: the log line and a response header
 * report it, and the client's next request brings the same history again.
 */
import { type GuardedRequest, throughGuard } from '../guarded-request.ts'
import type { Outgoing } from '../types.ts'

export async function unrecorded(guarded: GuardedRequest, code: string): Promise<Outgoing> {
  guarded.log.unrecorded(code)
  const out = await throughGuard(guarded)
  out.headers.push(...warningOf(code))
  return out
}

/** The response header with the reason why nothing was recorded. */
export function warningOf(code: string): readonly [string, string] {
  return ['suture-warning', `not-recorded; code=${code}`]
}
