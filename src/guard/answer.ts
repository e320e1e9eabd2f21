/**
 * A first look at an answer, before anything of it reaches the caller: is it one, or is it a refusal?
 * A stream is held back until something of the answer is in it: up to there it can still be asked for again.
 */
import type { Reply, ReplyForm, ReplyUsage } from '../core/reply.ts'
import { parsed } from '../dialects/replies/assembly.ts'
import { replies } from '../dialects/replies/index.ts'
import type { Asked, Upstream } from './core.ts'
import { framingIn, isJson } from './framing.ts'
import type { Refusal, Refused } from './refusals/index.ts'
import { Silent } from './silence.ts'
import { brokenAfter, joined, type Source, type Taken, takeAll, withHead } from './source.ts'
import { StreamGuard, type StreamOptions } from './stream.ts'

/** What the caller gets unless somebody knows better. Without a body: the upstream's own, not touched. */
export interface Answer {
  readonly body?: Source
  readonly whole?: Uint8Array
  readonly refused?: Refused
  /** Where it is known without reading: a connection that broke off is not a matter of words. */
  readonly kind?: Refusal['kind']
  /** An answer that is all there. */
  readonly reply?: Reply
  /** Of an answer that nobody wants put together: the tokens it reports. */
  readonly usage?: ReplyUsage | undefined
  /** It is longer than answers are read: it is passed on as it comes. */
  readonly unread?: boolean
  /** It broke off, and is not looked at any more. */
  readonly cut?: boolean
  /** How often somebody has read of it. */
  readonly reads?: () => number
}

/** Told once, when a stream that went to the caller is over. `output`: something of the answer reached the caller. `left`: the caller wanted no more. */
export type Over = (reply: Reply, output: boolean, left: boolean) => void

/** Who is told how an answer ends. */
export interface Hears {
  over: Over
  /** Somebody wants every reply, put together. */
  readonly reads: boolean
  readonly streaming: StreamOptions
  /** Bytes of the longest answer that is read whole. */
  readonly longestAnswer: number | undefined
}

const decoder = new TextDecoder()
const UNTOUCHED: Answer = {}

const SILENT = 'The stream was silent for too long.'

/** A stream that says nothing for so many bytes is let go: it is none that we know. */
const HELD = 256 * 1024

/** Bytes of a rejection that are read: none that we know is longer. */
const LONGEST_ERROR = 1024 * 1024

/** Waits only where something has to be read. */
export function look(upstream: Upstream, asked: Asked, to: Hears): Answer | Promise<Answer> {
  const recovers = asked.mode === 'recover'
  if (asked.mode === 'lint') return UNTOUCHED
  if (upstream.status >= 400) return recovers ? refusal(upstream) : UNTOUCHED
  const form = replies[asked.endpoint.service.dialect.id]
  if (!form || upstream.status !== 200) return UNTOUCHED
  const type = upstream.headers.get('content-type')
  const framing = framingIn(asked.path, type)
  if (framing) return new Held(upstream, asked, new StreamGuard(form, framing, to.streaming), to).look(recovers)
  if (!recovers || !isJson(type)) return UNTOUCHED
  const taken = takeAll(upstream.body, to.longestAnswer)
  return taken instanceof Promise
    ? taken.then((all) => wholeAnswer(upstream, form, to.reads, all))
    : wholeAnswer(upstream, form, to.reads, taken)
}

async function refusal({ status, headers, body }: Upstream): Promise<Answer> {
  const { pieces, broken, rest } = await takeAll(body, LONGEST_ERROR)
  if (rest) return { body: withHead(pieces, rest), unread: true }
  const bytes = joined(pieces)
  const refused = { status, headers, body: decoder.decode(bytes) }
  if (broken !== undefined) return { body: brokenAfter(pieces, broken), refused, cut: true }
  return { whole: bytes, refused }
}

function wholeAnswer({ status, headers }: Upstream, form: ReplyForm, reads: boolean, taken: Taken): Answer {
  const { pieces, broken, rest } = taken
  if (rest) return { body: withHead(pieces, rest), unread: true }
  const bytes = joined(pieces)
  const text = decoder.decode(bytes)
  const value = broken === undefined ? parsed(text) : undefined
  if (!reads && form.isPlain?.(value)) return { whole: bytes, usage: form.usage?.(value) }
  const refused = { status, headers, body: text }
  if (broken !== undefined) return { body: brokenAfter(pieces, broken), refused, kind: 'busy', cut: true }
  // Half an answer that ended politely: nothing of it has reached the caller.
  if (value === undefined) return { whole: bytes, refused, kind: 'busy' }
  const reply = form.json(value)
  return reply.why === 'error' ? { whole: bytes, refused, reply } : { whole: bytes, reply }
}

/** A stream that nobody has seen yet. */
class Held {
  private readonly upstream: Upstream
  private readonly signal: AbortSignal | undefined
  private readonly stream: StreamGuard
  private readonly to: Hears
  private readonly ready: Uint8Array[] = []
  private ended = false
  private told = false
  private count = 0

  constructor(upstream: Upstream, { signal }: Asked, stream: StreamGuard, to: Hears) {
    this.upstream = upstream
    this.signal = signal
    this.stream = stream
    this.to = to
  }

  async look(holds: boolean): Promise<Answer> {
    const { stream, ready, upstream } = this
    let size = 0
    while (holds && !this.ended && !stream.output && !stream.done && stream.error === undefined && size < HELD) {
      const piece = await this.next()
      if (piece) ready.push(piece)
      size += piece?.length ?? 0
    }
    const body: Source = { read: this.read, cancel: (reason) => this.cancel(reason) }
    const failed = holds && !stream.output && (stream.error !== undefined || (this.ended && !stream.done))
    if (!failed) return { body, reads: () => this.count }
    const { status, headers } = upstream
    const said = stream.error === undefined ? '' : JSON.stringify(stream.error)
    const refused = { status, headers, body: said }
    return stream.error === undefined ? { body, refused, kind: 'busy' } : { body, refused }
  }

  // As few promises for each piece as can be, and no functions: a stream has thousands of pieces.
  private readonly read = (): Promise<Uint8Array | undefined> => {
    this.count++
    if (this.ready.length > 0) return Promise.resolve(this.ready.shift())
    return this.ended ? this.onward() : this.take(this.passOrWait, this.breakOrEnd)
  }

  /** The next that may go on, however many pieces it takes; undefined once all was given. */
  private async onward(): Promise<Uint8Array | undefined> {
    while (!this.ended) {
      const piece = await this.next()
      if (piece) return piece
    }
    this.tell()
    return undefined
  }

  /** What may go on of the next piece. At the end: what must follow. */
  private next(): Promise<Uint8Array | undefined> {
    return this.take(this.passOn, this.breakOff)
  }

  private take<T>(piece: (piece: Uint8Array | undefined) => T, fail: (error: unknown) => T): Promise<Awaited<T>> {
    const { body } = this.upstream
    return body.pass ? body.pass(piece, fail) : (body.read().then(piece, fail) as Promise<Awaited<T>>)
  }

  private readonly passOrWait = (piece: Uint8Array | undefined) => this.passOn(piece) ?? this.onward()
  private readonly breakOrEnd = (error: unknown) => this.breakOff(error) ?? this.onward()

  private readonly passOn = (piece: Uint8Array | undefined): Uint8Array | undefined => {
    if (piece) {
      const whole = this.stream.push(piece)
      return this.stream.lost ? this.giveUp(whole) : whole
    }
    this.ended = true
    return this.stream.end()
  }

  /** Nothing more of it can be read, so nothing more is asked for. */
  private giveUp(whole: Uint8Array | undefined): Uint8Array | undefined {
    this.ended = true
    this.upstream.body.cancel()
    const last = this.stream.cut()
    return whole && last ? joined([whole, last]) : (last ?? whole)
  }

  private readonly breakOff = (error: unknown): Uint8Array | undefined => {
    this.ended = true
    if (!this.signal?.aborted) return this.stream.cut(error instanceof Silent ? SILENT : undefined)
    // Who aborts gets the abort, not a word about a broken stream.
    this.tell(true)
    throw error
  }

  private cancel(reason: unknown): void {
    this.upstream.body.cancel(reason)
    // A client that was told of the break leaves because of it.
    this.tell(!this.ended && this.stream.error === undefined)
  }

  /** Only of what went to the caller: a stream that was asked for again is nobody's answer. */
  private tell(left = false): void {
    if (this.told) return
    this.told = true
    this.to.over(this.stream.reply(), this.stream.output, left)
  }
}
