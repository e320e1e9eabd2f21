/** One request to an upstream, by undici's `dispatch`: no web objects, back-pressure by pausing the socket. */
import type { Dispatcher } from 'undici'
import {
  type ByteSource,
  type CollectedBytes,
  isBlank,
  type UpstreamResponse,
  whenLate,
} from '../../guard/transport.ts'
import { GatewayError } from '../gateway-error.ts'
import type { KeyMask, MaskingStream, MemoryHold } from '../protection/index.ts'
import { HeaderList } from './headers.ts'

export interface Reached extends UpstreamResponse {
  readonly statusText: string
  readonly heads: HeaderList
}

export interface Call {
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly headers: string[]
  readonly body: string | Uint8Array | null
  readonly signal: AbortSignal
  /** The memory of the request; a response that is read completely counts as well. */
  readonly hold: MemoryHold
  /** Masks the key that was added to the request if the response repeats it. */
  readonly scrub?: KeyMask | undefined
  /** Called with the error code if the request is sent again, since its connection broke before a response. */
  readonly resend?: ((code: string) => void) | undefined
  /** Milliseconds until the upstream must have sent the headers of its answer. */
  readonly headersMs: number
}

/** Error codes of connections that the other side has closed. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Bytes that are buffered ahead of the reader; the rest waits in the socket. */
const ENOUGH = 64 * 1024

/** Resolves with the upstream's headers, or rejects with a `GatewayError`. */
export function dispatch(pool: Dispatcher, call: Call): Promise<Reached> {
  return new Promise((resolve, reject) => new Flow(pool, call, resolve, reject))
}

/** The response as it arrives. */
class Flow implements ByteSource {
  private readonly pool: Dispatcher
  private readonly call: Call
  private resent = false
  private readonly resolve: (reached: Reached) => void
  private readonly reject: (error: unknown) => void
  private abort: ((error?: Error) => void) | undefined
  private resume: (() => void) | undefined
  private queue: Uint8Array[] = []
  private waiting: { resolve(piece: Uint8Array | undefined): void; reject(error: unknown): void } | undefined
  /** A reader waits for the whole response. */
  private gathering:
    | { readonly done: (taken: CollectedBytes) => void; readonly most: number; readonly stop: () => void }
    | undefined
  private readonly sentAt = performance.now()
  /** Ends a request whose upstream sends 1xx answers only. */
  private interim: ReturnType<typeof setTimeout> | undefined
  private held = 0
  private paused = false
  private ended = false
  private begun = false
  private scrubbing: MaskingStream | undefined
  private error: unknown

  constructor(pool: Dispatcher, call: Call, resolve: (reached: Reached) => void, reject: (error: unknown) => void) {
    this.pool = pool
    this.call = call
    this.resolve = resolve
    this.reject = reject
    call.signal.addEventListener('abort', this.leave, { once: true })
    this.send()
  }

  private send(): void {
    try {
      if (this.call.signal.aborted) throw new Error('The client disconnected.')
      const call = this.call as unknown as Dispatcher.DispatchOptions
      this.pool.dispatch(call, this as unknown as Dispatcher.DispatchHandler)
    } catch (error) {
      this.onError(error as Error)
    }
  }

  /** Whether the request is sent again: its body is in memory, and nothing of a response has arrived. */
  private again(error: Error & { code?: string }): boolean {
    const { code = '' } = error
    const { resend } = this.call
    if (!resend || this.resent || this.begun || this.call.signal.aborted || !BROKEN.has(code)) return false
    this.resent = true
    this.abort = undefined
    resend(code)
    this.send()
    return true
  }

  read(): Promise<Uint8Array | undefined> {
    if (this.queue.length > 0) return Promise.resolve(this.taken())
    if (this.error !== undefined) return Promise.reject(this.error)
    if (this.ended) return Promise.resolve(undefined)
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject }
      this.go()
    })
  }

  /** A small response arrived together with its headers. */
  all(most: number): CollectedBytes | Promise<CollectedBytes> {
    if (this.ended) return { pieces: this.queue }
    return new Promise((done) => {
      const isWaiting = () => isBlank(this.queue)
      const stop = whenLate(isWaiting, () => this.gathering && this.spill(this.gathering, true))
      this.gathering = { done, most, stop }
      this.go()
      this.gathered()
    })
  }

  private gathered(): void {
    const { gathering, queue: pieces, error: broken } = this
    if (!gathering || !(this.ended || broken !== undefined)) return
    this.gathering = undefined
    gathering.stop()
    gathering.done({ pieces, broken })
  }

  /** The response is late, too large for the reader, or memory is at its limit: the rest is read in pieces. */
  private spill({ done, stop }: NonNullable<Flow['gathering']>, isLate = false): void {
    const pieces = this.queue
    this.gathering = undefined
    this.queue = []
    this.held = 0
    stop()
    done({ pieces, rest: this, isLate })
  }

  /** All pieces that arrived meanwhile, joined: each piece would cost a write of its own. */
  private taken(): Uint8Array {
    const { queue } = this
    const next = queue.length === 1 ? queue[0]! : Buffer.concat(queue, this.held)
    this.queue = []
    this.held = 0
    this.go()
    return next
  }

  cancel(): void {
    if (this.ended || this.error !== undefined) return
    this.leave()
  }

  onConnect(abort: (error?: Error) => void): void {
    if (this.error !== undefined) abort(new Error('The client disconnected.'))
    this.abort = abort
  }

  onHeaders(status: number, raw: readonly Buffer[], resume: () => void, statusText: string): boolean {
    if (status < 200) {
      this.limitInterim()
      return true
    }
    clearTimeout(this.interim)
    this.resume = resume
    this.begun = true
    const scrub = this.call.scrub?.of(status)
    this.scrubbing = scrub
    const values = raw.map((one) => one.toString('latin1'))
    const heads = new HeaderList(scrub ? values.map((value) => scrub.text(value)) : values)
    const reason = phrase(scrub ? scrub.text(statusText) : statusText)
    this.resolve({ status, statusText: reason, heads, headers: inspected(heads), body: this })
    return true
  }

  onData(came: Buffer): boolean {
    const piece = this.scrubbing ? this.scrubbing.push(came) : came
    // undici emits nothing after a pause; pausing again here would never end.
    if (piece.length === 0) return true
    this.add(piece)
    const { gathering } = this
    if (gathering && (this.held > gathering.most || !this.call.hold.tries(piece.length))) this.spill(gathering)
    this.paused = this.held >= ENOUGH && !this.gathering
    return !this.paused
  }

  private add(piece: Uint8Array): void {
    const { waiting } = this
    this.waiting = undefined
    if (waiting) waiting.resolve(piece)
    else {
      this.queue.push(piece)
      this.held += piece.length
    }
  }

  onComplete(): void {
    const rest = this.scrubbing?.end()
    if (rest) this.add(rest)
    this.ended = true
    this.call.signal.removeEventListener('abort', this.leave)
    this.waiting?.resolve(undefined)
    this.waiting = undefined
    this.gathered()
  }

  onError(error: Error): void {
    if (this.ended || this.error !== undefined || this.again(error)) return
    this.error = error
    clearTimeout(this.interim)
    this.call.signal.removeEventListener('abort', this.leave)
    if (this.begun) this.waiting?.reject(error)
    else this.reject(this.call.signal.aborted ? error : unreached(error))
    this.waiting = undefined
    this.gathered()
  }

  /** undici counts its time limit for headers only up to the first answer, and a 1xx is one. */
  private limitInterim(): void {
    const { headersMs } = this.call
    const late = new GatewayError('upstream-timeout', 'The upstream sent only interim answers (1xx). Try again.')
    this.interim ??= setTimeout(() => this.abort?.(late), headersMs - (performance.now() - this.sentAt))
  }

  private go(): void {
    if (!this.paused) return
    this.paused = false
    this.resume?.()
  }

  private readonly leave = (): void => {
    const gone = new Error('The response is not needed any more: the client disconnected or canceled.')
    if (this.abort) this.abort(gone)
    this.onError(gone)
  }
}

/** A compressed response cannot be inspected, so it has no type that the guard knows. */
function inspected(heads: HeaderList): UpstreamResponse['headers'] {
  return {
    get(name) {
      const packed = name === 'content-type' ? (heads.get('content-encoding') ?? '') : ''
      return packed === '' || packed === 'identity' ? (heads.get(name.toLowerCase()) ?? null) : null
    },
  }
}

function unreached(error: Error): GatewayError {
  if (error instanceof GatewayError) return error
  const { code = error.name } = error as { code?: string }
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return new GatewayError('upstream-timeout', `The upstream did not answer in time (${code}). Try again.`)
  return new GatewayError(
    'upstream-failed',
    `The upstream could not be reached, or closed the connection before it answered (${code}). Check its address and whether it is up.`,
  )
}

/** The upstream's reason phrase, if it is a valid header value; otherwise Node uses its own. */
function phrase(text: string): string {
  return /^[\t -~\x80-\xff]*$/.test(text) ? text : ''
}
