/**
 * Reads the tokens that a response reports while it passes through, for responses that are not read otherwise. The bytes are not changed.
 */
import type { Assembler, Frame, Framing, ReplyForm, ReplyUsage } from '../../core/reply.ts'
import { tryParseJson } from '../../core/spelling.ts'
import { framingFor, isJson, type Splitter, splitter } from '../../dialects/replies/frames.ts'
import { replies } from '../../dialects/replies/index.ts'
import { isPlainText, isWrapped, mayReportUsage } from '../../dialects/replies/markers.ts'
import { type ByteSource, concatBytes } from './byte-source.ts'

export type OnUsage = (usage: ReplyUsage) => void

/** JSON responses up to this size are kept and read; the tokens of longer ones are not counted. */
const LONGEST = 1024 * 1024
/** Bytes of an incomplete frame that are kept. */
const LONGEST_FRAME = 1024 * 1024

/** A source that also counts tokens; the same source if nothing can be read. */
export function countingTokens(
  source: ByteSource,
  about: { readonly dialect: string; readonly path: string; readonly type: string | null },
  counted: OnUsage,
): ByteSource {
  const form = replies[about.dialect]
  const framing = framingFor(about.path, about.type)
  if (!form || (!framing && !isJson(about.type))) return source
  return new CountingSource(source, framing ? new StreamUsage(form, framing) : new JsonUsage(form), counted)
}

/** Reads the reported tokens. */
interface UsageReader {
  push(piece: Uint8Array): void
  end(): ReplyUsage | undefined
}

class CountingSource implements ByteSource {
  private readonly source: ByteSource
  private readonly counted: OnUsage
  private reading: UsageReader | undefined

  constructor(source: ByteSource, reading: UsageReader, counted: OnUsage) {
    this.source = source
    this.reading = reading
    this.counted = counted
  }

  async read(): Promise<Uint8Array | undefined> {
    const piece = await this.source.read()
    if (piece) this.reading?.push(piece)
    else this.over()
    return piece
  }

  cancel(reason?: unknown): void {
    this.source.cancel(reason)
    this.over()
  }

  private over(): void {
    const usage = this.reading?.end()
    this.reading = undefined
    if (usage) this.counted(usage)
  }
}

/** Of a stream only the first and the last report are read: each report has the total so far. */
class StreamUsage implements UsageReader {
  private readonly splitter: Splitter
  private readonly assembler: Assembler
  private begun = false
  private last: Frame | undefined

  constructor(form: ReplyForm, framing: Framing) {
    this.splitter = splitter(framing, { maxFrameBytes: LONGEST_FRAME })
    this.assembler = form.stream()
  }

  push(piece: Uint8Array): void {
    for (const frame of this.splitter.push(piece)) this.take(frame)
  }

  end(): ReplyUsage | undefined {
    for (const frame of this.splitter.end()) this.take(frame)
    if (this.last) this.assembler.push(this.last)
    return this.assembler.end().usage
  }

  private take(frame: Frame): void {
    if (isWrapped(frame)) this.assembler.push(frame)
    else if (isPlainText(frame) && mayReportUsage(frame)) {
      if (this.begun) this.last = frame
      else this.assembler.push(frame)
      this.begun = true
    }
  }
}

class JsonUsage implements UsageReader {
  private readonly form: ReplyForm
  private pieces: Uint8Array[] | undefined = []
  private size = 0

  constructor(form: ReplyForm) {
    this.form = form
  }

  push(piece: Uint8Array): void {
    this.size += piece.length
    if (this.size > LONGEST) this.pieces = undefined
    this.pieces?.push(piece)
  }

  end(): ReplyUsage | undefined {
    if (!this.pieces || this.size === 0) return undefined
    return this.form.json(tryParseJson(new TextDecoder().decode(concatBytes(this.pieces)))).usage
  }
}
