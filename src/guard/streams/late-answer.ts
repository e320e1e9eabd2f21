/**
 * A JSON answer whose provider sends headers and white space long before it. Bytes are passed on as they arrive, and the reply is read when the
 * last one has: nothing can be requested again by then.
 */
import type { ReplyForm } from '../../core/reply.ts'
import { tryParseJson } from '../../core/spelling.ts'
import { type ByteSource, concatBytes } from './byte-source.ts'
import { streamCut } from './connection-errors.ts'
import type { ReplyListener } from './inspect-response.ts'

export class LateAnswer implements ByteSource {
  /** Number of reads by the caller so far. */
  reads = 0
  private readonly source: ByteSource
  private readonly form: ReplyForm
  private readonly to: ReplyListener
  /** Undefined: it is longer than what is read. */
  private pieces: Uint8Array[] | undefined = []
  private size = 0
  private reported = false

  constructor(source: ByteSource, form: ReplyForm, to: ReplyListener) {
    this.source = source
    this.form = form
    this.to = to
  }

  async read(): Promise<Uint8Array | undefined> {
    this.reads++
    try {
      const piece = await this.source.read()
      if (piece) this.keep(piece)
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

  private keep(piece: Uint8Array): void {
    const { maxResponseBytes = Number.POSITIVE_INFINITY } = this.to
    this.size += piece.length
    if (this.size > maxResponseBytes) this.pieces = undefined
    this.pieces?.push(piece)
  }

  private report(isWhole: boolean, isCanceled = false): void {
    if (this.reported) return
    this.reported = true
    const { form, pieces } = this
    const value = isWhole && pieces ? tryParseJson(new TextDecoder().decode(concatBytes(pieces))) : undefined
    const reply = value === undefined ? form.stream().end() : form.json(value)
    this.to.onReplyEnd(reply, this.size > 0, isCanceled)
  }
}
