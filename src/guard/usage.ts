/**
 * Tokens that an answer reports, read beside its way: for answers that nobody looks into otherwise. The bytes go on as they came.
 */
import type { Assembler, Frame, Framing, ReplyForm, ReplyUsage } from '../core/reply.ts'
import { parsed } from '../dialects/replies/assembly.ts'
import { type Splitter, splitter } from '../dialects/replies/frames.ts'
import { replies } from '../dialects/replies/index.ts'
import { framingIn, isJson } from './framing.ts'
import { joined, type Source } from './source.ts'

/** What every report of tokens has in it. */
export const USAGE = /"usage(?:Metadata)?": ?\{|"eval_count"/

export type Counted = (usage: ReplyUsage) => void

/** Bytes of a JSON answer that are kept to be read; the tokens of a longer one are not counted. */
const LONGEST = 1024 * 1024
/** Bytes that may wait for the rest of their frame. */
const LONGEST_FRAME = 1024 * 1024

/** The source, with somebody reading along; the same one where nothing can be read. */
export function countingTokens(
  source: Source,
  about: { readonly dialect: string; readonly path: string; readonly type: string | null },
  counted: Counted,
): Source {
  const form = replies[about.dialect]
  const framing = framingIn(about.path, about.type)
  if (!form || (!framing && !isJson(about.type))) return source
  return new Tapped(source, framing ? new InFrames(form, framing) : new InJson(form), counted)
}

/** Reads tokens in what comes. */
interface Reading {
  push(piece: Uint8Array): void
  end(): ReplyUsage | undefined
}

class Tapped implements Source {
  private readonly source: Source
  private readonly counted: Counted
  private reading: Reading | undefined

  constructor(source: Source, reading: Reading, counted: Counted) {
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

/** Of a stream only the first and the last report are read: each says all so far. */
class InFrames implements Reading {
  private readonly splitter: Splitter
  private readonly assembler: Assembler
  private begun = false
  private last: Frame | undefined

  constructor(form: ReplyForm, framing: Framing) {
    this.splitter = splitter(framing, { longest: LONGEST_FRAME })
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
    // Bedrock's `invoke` wraps the family's own events once more, in base64.
    if (frame.event === 'chunk') this.assembler.push(frame)
    else if (frame.kind === undefined && USAGE.test(frame.data)) {
      if (this.begun) this.last = frame
      else this.assembler.push(frame)
      this.begun = true
    }
  }
}

class InJson implements Reading {
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
    return this.form.json(parsed(new TextDecoder().decode(joined(this.pieces)))).usage
  }
}
