/**
 * Adds the request id to a response, and the mark of an emulator; it ends log, memory and span when the response ends.
 */
import type { MemoryHold } from '../protection/index.ts'
import type { Outgoing } from '../types.ts'
import type { RequestLog } from './request-log.ts'
import type { RequestSpan } from './tracing.ts'

export function withRequestId(
  out: Outgoing,
  log: RequestLog,
  hold: MemoryHold,
  span: RequestSpan | undefined,
): Outgoing {
  out.headers.push('suture-request-id', log.id)
  if (log.emulator) out.headers.push('suture-emulator', 'true')
  const { over } = out
  out.over = (whole, broke) => {
    over?.(whole, broke)
    hold.end()
    log.end(out.status, whole, broke)
    span?.end({ status: out.status, id: log.id, upstream: log.upstream, mode: log.mode })
  }
  return out
}
