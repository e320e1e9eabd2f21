/**
 * A JSON answer whose provider sends headers and white space long before it. Bytes are passed on as they arrive, and the reply is read when the
 * last one has: nothing can be requested again by then.
 */
import type { ReplyForm } from '../../core/reply.ts'
import { type ByteSource, KeptBytes } from './byte-source.ts'
import { streamCut } from './connection-errors.ts'
import type { ReplyListener } from './inspect-response.ts'

export class LateAnswer implements ByteSource {
  /** Number of reads by the caller so far. */
  reads = 0
  private readonly source: ByteSource
  private readonly form: ReplyForm
  private readonly to: ReplyListener
  private readonly kept: KeptBytes
  private reported = false

  constructor(source: ByteSource, form: ReplyForm, to: ReplyListener) {
    this.source = source
    this.form = form
    this.to = to
    this.kept = new KeptBytes(to.maxResponseBytes)
  }

  async read(): Promise<Uint8Array | undefined> {
    this.reads++
    try {
      const piece = await this.source.read()
      if (piece) this.kept.push(piece)
      else this.report(true)
      return piece
    } catch (error) {
      this.report(false)
      throw error instanceof Error && error.name === 'AbortError' ? error : streamCut('the answer broke off', error)
    }
  }

  cancel(reason: unknown): void {
    this.source.cancel(reason)
    this.report(false, true)
  }

  private report(isWhole: boolean, isCanceled = false): void {
    if (this.reported) return
    this.reported = true
    const { form, kept } = this
    const value = isWhole ? kept.json() : undefined
    const reply = value === undefined ? form.stream().end() : form.json(value)
    this.to.onReplyEnd(reply, kept.size > 0, isCanceled)
  }
}
