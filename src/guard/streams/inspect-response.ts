/**
 * Inspects a response before anything of it reaches the caller: is it a reply or a rejection? A stream is held back
 * until its first output: up to there the request can be sent again.
 */
import type { Reply, ReplyForm, ReplyUsage } from '../../core/reply.ts'
import { tryParseJson } from '../../core/spelling.ts'
import { framingFor, isJson } from '../../dialects/replies/frames.ts'
import { replies } from '../../dialects/replies/index.ts'
import { LATE, timer } from '../pause.ts'
import type { RejectedResponse, Rejection } from '../rejections/index.ts'
import type { GuardRequest, UpstreamResponse } from '../transport.ts'
import {
  type ByteSource,
  brokenAfter,
  type CollectedBytes,
  collectBytes,
  concatBytes,
  LONGEST_HOLD,
  prepended,
} from './byte-source.ts'
import { streamCut } from './connection-errors.ts'
import { IdleTimeoutError } from './idle-timeout.ts'
import { lateAnswer } from './late-answer.ts'
import { StreamGuard, type StreamOptions } from './stream-guard.ts'

/** What the caller gets if no recovery applies. Without a body: the upstream's own response, untouched. */
export interface InspectedResponse {
  readonly body?: ByteSource
  readonly bytes?: Uint8Array
  readonly rejected?: RejectedResponse
  /** Known without reading the text: the connection broke off. */
  readonly kind?: Rejection['kind']
  /** A complete reply. */
  readonly reply?: Reply
  /** If the reply is not assembled: the tokens that the response reports. */
  readonly usage?: ReplyUsage | undefined
  /** Why the response is passed on unread: it is longer than `maxResponseBytes`, or it took too long. */
  readonly passed?: 'too-large' | 'too-late'
  /** A rejection that broke off: it is passed on as far as it came and not classified. */
  readonly cut?: boolean
  /** The error, if the response broke off before anything of it could reach the caller. */
  readonly broken?: unknown
  /** Number of reads by the caller so far. */
  readonly reads?: () => number
}

/** Gets the end of a response. */
export interface ReplyListener {
  /**
   * Called once, when a stream that went to the caller has ended. `output`: some output reached the caller.
   * `isCanceled`: the caller stopped reading.
   */
  onReplyEnd(reply: Reply, output: boolean, isCanceled: boolean): void
  /** Every reply has to be assembled. */
  readonly wantsReplies: boolean
  readonly streaming: StreamOptions
  /** Reasoning of replies is kept, at every level. */
  readonly remembers: boolean
  /** Longer responses are not read. */
  readonly maxResponseBytes: number | undefined
}

const decoder = new TextDecoder()
const UNTOUCHED: InspectedResponse = {}

const CUT = 'The stream ended before its terminal event.'
const LONG = 'A frame of the stream is longer than `maxFrameBytes`.'

/** A stream without output for this many bytes, or for `LONGEST_HOLD`, is passed on: its format is unknown. */
const HELD = 256 * 1024
/** Bytes of a rejection that are read: no known one is longer. */
const LONGEST_ERROR = 1024 * 1024

/** Asynchronous only if something has to be read. */
export function inspectResponse(
  upstream: UpstreamResponse,
  request: GuardRequest,
  to: ReplyListener,
): InspectedResponse | Promise<InspectedResponse> {
  const recovers = request.level === 'recover'
  if (request.level === 'lint') return UNTOUCHED
  if (upstream.status >= 400) return recovers ? rejection(upstream) : UNTOUCHED
  const form = replies[request.endpoint.service.dialect.id]
  if (!form || upstream.status !== 200) return UNTOUCHED
  const type = upstream.headers.get('content-type')
  const framing = framingFor(request.path, type)
  if (framing) return new HeldStream(upstream, request, new StreamGuard(form, framing, to.streaming), to).look()
  if ((!recovers && !to.remembers) || !isJson(type)) return UNTOUCHED
  const taken = collectBytes(upstream.body, to.maxResponseBytes)
  return taken instanceof Promise
    ? taken.then((all) => wholeAnswer(upstream, form, to, all))
    : wholeAnswer(upstream, form, to, taken)
}

async function rejection({ status, headers, body }: UpstreamResponse): Promise<InspectedResponse> {
  const { pieces, broken, rest, isLate } = await collectBytes(body, LONGEST_ERROR)
  if (rest) return { body: prepended(pieces, rest), passed: isLate ? 'too-late' : 'too-large' }
  const bytes = concatBytes(pieces)
  const rejected = { status, headers, body: decoder.decode(bytes) }
  if (broken !== undefined) return { body: brokenAfter(pieces, broken), rejected, cut: true }
  return { bytes, rejected }
}

function wholeAnswer(
  { status, headers }: UpstreamResponse,
  form: ReplyForm,
  to: ReplyListener,
  taken: CollectedBytes,
): InspectedResponse {
  const { pieces, broken, rest, isLate } = taken
  if (rest && isLate) return lateAnswer(prepended(pieces, rest), form, to)
  if (rest) return { body: prepended(pieces, rest), passed: 'too-large' }
  const bytes = concatBytes(pieces)
  const text = decoder.decode(bytes)
  const value = broken === undefined ? tryParseJson(text) : undefined
  if (!to.wantsReplies && form.isPlain?.(value)) return { bytes, usage: form.usage?.(value) }
  const rejected = { status, headers, body: text }
  if (broken !== undefined) return { body: brokenAfter(pieces, broken), rejected, kind: 'retryable', broken }
  // Half a reply that ended cleanly: nothing of it has reached the caller.
  if (value === undefined) return { bytes, rejected, kind: 'retryable' }
  const reply = form.json(value)
  return reply.why === 'error' ? { bytes, rejected, reply } : { bytes, reply }
}

/** A stream of which nothing has reached the caller yet. */
class HeldStream {
  private readonly upstream: UpstreamResponse
  private readonly signal: AbortSignal | undefined
  private readonly known: boolean
  private readonly stream: StreamGuard
  private readonly to: ReplyListener
  private readonly ready: Uint8Array[] = []
  private ended = false
  private reported = false
  private count = 0
  /** A piece that was still pending when the stream had been held back for long enough. */
  private pending: Promise<Uint8Array | undefined> | undefined
  /** Why the reply did not reach its end, if the caller's stream must break off as well. */
  private broken: unknown

  constructor(upstream: UpstreamResponse, { signal, endpoint }: GuardRequest, stream: StreamGuard, to: ReplyListener) {
    this.upstream = upstream
    this.signal = signal
    this.known = endpoint.known
    this.stream = stream
    this.to = to
  }

  /** Waits for the first output: until then the request can be sent again, by the guard or by the client. */
  async look(): Promise<InspectedResponse> {
    const { stream, ready } = this
    const late = timer(LONGEST_HOLD)
    let size = 0
    while (!this.ended && !stream.output && !stream.closed && size < HELD && !this.pending) {
      const taking = this.take(this.passOn, this.breakOff)
      const piece = await Promise.race([taking, late.passed])
      if (piece === LATE) this.pending = taking
      else if (piece) ready.push(piece)
      size += piece === LATE ? 0 : (piece?.length ?? 0)
    }
    late.stop()
    // The pending piece is read later, or never.
    this.pending?.catch(() => {})
    const body: ByteSource = { read: this.read, cancel: (reason) => this.cancel(reason), closed: () => stream.closed }
    if (!stream.output && stream.error !== undefined) return { body, rejected: this.rejected(stream.error) }
    if (!stream.output && this.broken !== undefined)
      return { body, rejected: this.rejected(), kind: 'retryable', broken: this.broken }
    return { body, reads: () => this.count }
  }

  private rejected(error?: unknown): RejectedResponse {
    const { status, headers } = this.upstream
    return { status, headers, body: error === undefined ? '' : JSON.stringify(error) }
  }

  // As few promises per piece as possible, and no closures: a stream has thousands of pieces.
  private readonly read = (): Promise<Uint8Array | undefined> => {
    this.count++
    if (this.ready.length > 0) return Promise.resolve(this.ready.shift())
    if (this.pending) return this.resumed(this.pending)
    return this.ended ? this.over() : this.take(this.passOrEnd, this.breakOrEnd)
  }

  private resumed(pending: Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> {
    this.pending = undefined
    return pending.then((piece) => piece ?? this.over())
  }

  private take<T>(piece: (piece: Uint8Array | undefined) => T, fail: (error: unknown) => T): Promise<Awaited<T>> {
    const { body } = this.upstream
    return body.pass ? body.pass(piece, fail) : (body.read().then(piece, fail) as Promise<Awaited<T>>)
  }

  private readonly passOrEnd = (piece: Uint8Array | undefined) => this.passOn(piece) ?? this.over()
  private readonly breakOrEnd = (error: unknown) => this.breakOff(error) ?? this.over()

  private readonly passOn = (piece: Uint8Array | undefined): Uint8Array | undefined => {
    const { stream } = this
    if (piece) {
      stream.read(piece)
      if (stream.lost) this.giveUp()
      return piece
    }
    this.ended = true
    stream.end()
    // Unknown hosts may end their streams differently: their end is passed on.
    if (!stream.closed && this.known) this.broken = streamCut(CUT)
    return undefined
  }

  /** No more can be read, so nothing more is requested. */
  private giveUp(): void {
    this.ended = true
    this.broken = streamCut(LONG)
    this.upstream.body.cancel()
  }

  private readonly breakOff = (error: unknown): undefined => {
    this.ended = true
    if (this.signal?.aborted) {
      // A caller that aborts gets the abort error, not that of a broken stream.
      this.reportEnd(true)
      throw error
    }
    // A break after the terminal event does not matter.
    if (!this.stream.closed) this.broken = error ?? streamCut(CUT)
    return undefined
  }

  /** Ends the caller's stream, or breaks it off. */
  private over(): Promise<undefined> {
    this.reportEnd()
    if (this.broken === undefined) return Promise.resolve(undefined)
    return Promise.reject(this.broken instanceof IdleTimeoutError ? streamCut(CUT, this.broken) : this.broken)
  }

  private cancel(reason: unknown): void {
    this.upstream.body.cancel(reason)
    // A client that saw the break cancels because of it.
    this.reportEnd(!this.ended && this.stream.error === undefined)
  }

  /** Only for streams that went to the caller: one that was requested again is not a response. */
  private reportEnd(isCanceled = false): void {
    if (this.reported) return
    this.reported = true
    this.to.onReplyEnd(this.stream.reply(), this.stream.output, isCanceled)
  }
}
