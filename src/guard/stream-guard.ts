/**
 * A stream on its way to the caller: its bytes go on as they came, and a copy of them is put together.
 * It says whether the answer came to its end. It adds nothing to the stream and takes nothing from it.
 */
import type { Assembler, Frame, Framing, Reply, ReplyForm } from '../core/reply.ts'
import { type Splitter, splitter, TOO_LONG } from '../dialects/replies/frames.ts'
import { isDoneMarker, isPlainText, mayEndReply, mayReportUsage } from '../dialects/replies/markers.ts'

export interface StreamOptions {
  /** The reply is not needed: after the first output read only frames that may be the end. */
  readonly endOnly?: boolean
  /** Bytes of the longest frame. */
  readonly maxFrameBytes?: number | undefined
}

export class StreamGuard {
  private readonly splitter: Splitter
  private readonly assembler: Assembler
  /** A report of tokens in a frame that was not read. */
  private report: Frame | undefined
  private readonly skims: boolean
  /** An error of the provider's stood in a frame, so its client sees it. */
  private shown = false
  /** A `[DONE]` came. Some send it after a cut, so it does not make an answer complete; but it is an end that clients know. */
  private marked = false
  /** A frame was too long: nothing more can be read. */
  lost = false

  constructor(
    form: ReplyForm,
    framing: Framing,
    { endOnly: skims = false, maxFrameBytes: longest }: StreamOptions = {},
  ) {
    this.skims = skims
    this.splitter = splitter(framing, { longest })
    this.assembler = form.stream()
  }

  /** Something of the answer is in what was read. */
  get output(): boolean {
    return this.assembler.output
  }

  /** The error the stream carried, if one came. */
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

  /** The provider has ended the stream: what that completes is read. */
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
