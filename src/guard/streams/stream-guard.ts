/**
 * Follows a stream on its way to the caller: bytes are passed on unchanged, and a copy is assembled. Reports whether
 * the reply reached its end. Adds nothing to the stream and removes nothing.
 */
import type { Assembler, Frame, Framing, Reply, ReplyForm } from '../../core/reply.ts'
import { type Splitter, splitter, TOO_LONG } from '../../dialects/replies/frames.ts'
import { isDoneMarker, isPlainText, mayEndReply, mayReportUsage } from '../../dialects/replies/markers.ts'

export interface StreamOptions {
  /** The reply is not needed: after the first output read only frames that may be the end. */
  readonly endOnly?: boolean
  /** Maximum bytes of a frame. */
  readonly maxFrameBytes?: number | undefined
}

export class StreamGuard {
  private readonly splitter: Splitter
  private readonly assembler: Assembler
  /** A frame with a token report that was not parsed yet. */
  private report: Frame | undefined
  private readonly skims: boolean
  /** A frame had an error of the provider, so the client sees it. */
  private shown = false
  /** A `[DONE]` arrived. Some send it after a cut, so the reply may be incomplete, but clients accept it as an end. */
  private marked = false
  /** A frame was too long: nothing more can be read. */
  lost = false

  constructor(form: ReplyForm, framing: Framing, { endOnly: skims = false, maxFrameBytes }: StreamOptions = {}) {
    this.skims = skims
    this.splitter = splitter(framing, { maxFrameBytes })
    this.assembler = form.stream()
  }

  /** The first output was read. */
  get output(): boolean {
    return this.assembler.output
  }

  /** The error in the stream, if one came. */
  get error(): unknown {
    return this.assembler.error
  }

  /** A terminal event of the dialect was read: the end of the answer, an error event, or `[DONE]`. */
  get closed(): boolean {
    return this.assembler.done || this.shown || this.marked
  }

  read(chunk: Uint8Array): void {
    this.take(this.splitter.push(chunk))
  }

  /** The provider has ended the stream: a last incomplete frame is read. */
  end(): void {
    this.take(this.splitter.end())
  }

  reply(): Reply {
    if (this.report) this.assembler.push(this.report)
    this.report = undefined
    return this.assembler.end()
  }

  private take(frames: readonly Frame[]): void {
    const { assembler } = this
    for (let i = 0; i < frames.length; i++) {
      const frame = frames[i]!
      if (this.skims && assembler.output && isPlainText(frame) && !mayEndReply(frame)) {
        if (mayReportUsage(frame)) this.report = frame
        continue
      }
      if (this.report && mayReportUsage(frame)) this.report = undefined
      const before = assembler.error
      assembler.push(frame)
      if (frame.event === TOO_LONG && frame.kind === 'broken') this.lost = true
      if (assembler.error !== before) this.shown = frame.kind !== 'bare'
      else if (isDoneMarker(frame)) this.marked = true
    }
  }
}
