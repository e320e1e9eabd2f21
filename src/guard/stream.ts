/**
 * A stream on its way to the caller: bytes go on as they came, but only up to the end of a whole frame, and a copy is put together.
 * So whatever breaks, the error event its client waits for can stand behind a whole frame, and never is an end faked.
 */
import type { Assembler, Frame, Framing, Reply, ReplyForm } from '../core/reply.ts'
import { type Splitter, splitter, TOO_LONG } from '../dialects/replies/frames.ts'
import { joined } from './source.ts'
import { USAGE } from './usage.ts'

const CUT = 'The stream ended before the answer did.'
const LONG = 'A frame of the stream is longer than is taken.'
const DONE = [0x5b, 0x44, 0x4f, 0x4e, 0x45, 0x5d]
/** What every end and every error of a stream has in it; a text that has it too is read for nothing. */
const MAYBE_LAST = /error|"finish_?reason": ?"|"stop|_stop"|completed"|failed"|incomplete"|"done|\[DONE\]/i

export interface StreamOptions {
  /** Nobody wants the answer put together: behind its first output only what may be its end is read. */
  readonly skims?: boolean
  /** Bytes of the longest frame. */
  readonly longest?: number | undefined
}

export class StreamGuard {
  private readonly form: ReplyForm
  private readonly framing: Framing
  private readonly splitter: Splitter
  private readonly assembler: Assembler
  /** Bytes that wait for the rest of their frame, as they came: a long frame is joined once. */
  private held: Uint8Array[] = []
  private passed = 0
  /** The error the stream carried stood in a frame, so its client sees it. */
  private shown = false
  /** A `[DONE]` came before the answer was: it is kept back, with all behind it. */
  private faked = false

  /** A report of tokens in a frame that was not read. */
  private report: Frame | undefined

  private readonly skims: boolean
  /** A frame was too long: nothing more can be read. */
  lost = false

  constructor(form: ReplyForm, framing: Framing, { skims = false, longest }: StreamOptions = {}) {
    this.form = form
    this.skims = skims
    this.framing = framing
    this.splitter = splitter(framing, { longest })
    this.assembler = form.stream()
  }

  /** Something of the answer is in what was pushed. */
  get output(): boolean {
    return this.assembler.output
  }

  /** The answer has come to its end. */
  get done(): boolean {
    return this.assembler.done
  }

  /** The error the stream carried, if one came. */
  get error(): unknown {
    return this.assembler.error
  }

  /** What may go on now: whole frames, as they came. */
  push(chunk: Uint8Array): Uint8Array | undefined {
    if (this.faked) return undefined
    this.take(this.splitter.push(chunk))
    const ready = this.splitter.whole - this.passed
    if (ready === 0) {
      this.held.push(chunk)
      return undefined
    }
    const all = this.held.length === 0 ? chunk : joined([...this.held, chunk])
    if (this.held.length > 0) this.held = []
    if (ready < all.length) this.held.push(all.subarray(ready))
    this.passed += ready
    const whole = ready === all.length ? all : all.subarray(0, ready)
    return this.faked ? beforeDone(whole) : whole
  }

  /** What is to follow when the provider has ended the stream. */
  end(): Uint8Array | undefined {
    this.take(this.splitter.end())
    if (this.done && this.error === undefined) return this.held.length > 0 ? joined(this.held) : undefined
    return this.shown ? undefined : this.failure()
  }

  /** What is to follow when the connection broke off: behind the answer's own end that is no matter. */
  cut(why = CUT): Uint8Array | undefined {
    return this.done || this.shown ? undefined : this.failure(why)
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
      if (this.skims && assembler.output && isPlain(frame) && !MAYBE_LAST.test(frame.data)) {
        if (USAGE.test(frame.data)) this.report = frame
        continue
      }
      if (this.report && USAGE.test(frame.data)) this.report = undefined
      const before = assembler.error
      assembler.push(frame)
      if (frame.event === TOO_LONG && frame.kind === 'broken') this.lost = true
      if (assembler.error !== before) this.shown = frame.kind !== 'bare'
      else if (frame.data === '[DONE]' && !assembler.done && !this.shown) this.faked = true
    }
  }

  private failure(why = CUT): Uint8Array {
    const bytes = this.form.failure({ message: messageIn(this.error) ?? (this.lost ? LONG : why) }, this.framing)
    // As the first element of a list it stands behind a bracket instead of a comma.
    return this.framing === 'array' && this.passed === 0 ? Uint8Array.of(0x5b, ...bytes.subarray(1)) : bytes
  }
}

/** Whether a text shows what a frame says. Bedrock's `invoke` wraps the family's own events once more, in base64. */
function isPlain({ kind, event }: Frame): boolean {
  return kind === undefined && event !== 'chunk'
}

/** What stands before the line of `[DONE]`. */
function beforeDone(bytes: Uint8Array): Uint8Array | undefined {
  let at = bytes.length - DONE.length
  while (at >= 0 && !DONE.every((byte, i) => bytes[at + i] === byte)) at--
  while (at > 0 && bytes[at - 1] !== 0x0a && bytes[at - 1] !== 0x0d) at--
  return at > 0 ? bytes.subarray(0, at) : undefined
}

/** The words of an error, in whatever layer they stand. */
function messageIn(error: unknown, depth = 0): string | undefined {
  if (typeof error === 'string') return error
  if (typeof error !== 'object' || error === null || depth > 3) return undefined
  const { message, error: inner } = error as { message?: unknown; error?: unknown }
  return typeof message === 'string' ? message : messageIn(inner, depth + 1)
}
