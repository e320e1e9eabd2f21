/**
 * A JSON answer whose provider sends headers and white space long before it. Bytes are passed on as they arrive, and
 * the reply is read after the last one: nothing can be requested again by then.
 */
import type { ReplyForm } from '../../core/reply.ts'
import { type ByteSource, KeptBytes } from './byte-source.ts'
import { streamCut } from './connection-errors.ts'
import type { ReplyListener } from './inspect-response.ts'

/** `reads`: number of reads by the caller so far. */
export function lateAnswer(source: ByteSource, form: ReplyForm, to: ReplyListener) {
  const kept = new KeptBytes(to.maxResponseBytes)
  let reads = 0
  let isReported = false
  function report(isWhole: boolean, isCanceled = false): void {
    if (isReported) return
    isReported = true
    const value = isWhole ? kept.json() : undefined
    const reply = value === undefined ? form.stream().end() : form.json(value)
    to.onReplyEnd(reply, kept.size > 0, isCanceled)
  }
  const body: ByteSource = {
    async read() {
      reads++
      try {
        const piece = await source.read()
        if (piece) kept.push(piece)
        else report(true)
        return piece
      } catch (error) {
        report(false)
        throw error instanceof Error && error.name === 'AbortError' ? error : streamCut('the answer broke off', error)
      }
    },
    cancel(reason) {
      source.cancel(reason)
      report(false, true)
    },
  }
  return { body, reads: () => reads }
}
