/**
 * One request and its response on a `node:http` connection. Only this file and `serve.ts` know sockets. One listener on
 * the response handles every way in which it can end.
 */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { ByteSource } from '../../guard/transport.ts'
import type { GatewayApp } from '../app.ts'
import { GatewayError } from '../gateway-error.ts'
import { BodyBuffer, type MemoryHold, overloaded, tooLarge } from '../protection/index.ts'
import type { Incoming, Outgoing } from '../types.ts'
import { ClientAbort } from './client-abort.ts'
import { HeaderList, headerIn } from './headers.ts'
import { markStream, resetAfterWrites } from './reset-socket.ts'

/** How long the rest of a rejected body is discarded, so that the client can read the error. */
const LINGER = 2_000
/** Responses up to this size are copied after their headers: one write costs less than two. */
const SMALL = 16 * 1024
const NOT_MODIFIED = 304
const ignore = () => {}

export function serveConnection(app: GatewayApp, request: IncomingMessage, response: ServerResponse): void {
  const connection = new NodeConnection(app, request, response)
  // A failure of one response ends only its own connection.
  app.handle(connection).then(connection.respond).catch(connection.fail)
}

class NodeConnection implements Incoming {
  readonly method: string
  readonly target: string
  readonly headers: HeaderList
  readonly signal: AbortSignal
  private readonly app: GatewayApp
  private readonly request: IncomingMessage
  private readonly response: ServerResponse
  private readonly clientAbort = new ClientAbort()
  private out: Outgoing | undefined
  private closed = false
  /** The upstream broke off, so this response was broken off, too. */
  private broke = false
  /** The response was written to the socket itself. */
  private respondedRaw = false
  /** Rejects the body that is being read. */
  private breakOff: ((problem: GatewayError) => void) | undefined
  /** Continues writing: there is room, or the client has disconnected. */
  private wake: (() => void) | undefined

  constructor(app: GatewayApp, request: IncomingMessage, response: ServerResponse) {
    this.app = app
    this.request = request
    this.response = response
    this.method = request.method ?? 'GET'
    this.target = request.url ?? '/'
    this.headers = new HeaderList(request.rawHeaders)
    this.signal = this.clientAbort as unknown as AbortSignal
    request.on('error', ignore)
    response.on('error', ignore)
    response.on('close', this.over)
  }

  body(hold: MemoryHold): Promise<Uint8Array> {
    const { request, response, app } = this
    const limit = app.limits.maxBodyBytes
    const announced = this.headers.get('content-length')
    if (announced !== undefined && Number(announced) > limit) return Promise.reject(tooLarge(limit))
    if (announced !== undefined && !hold.fits(Number(announced))) return Promise.reject(overloaded())
    const coding = this.headers.get('transfer-encoding')
    if (coding !== undefined && coding.toLowerCase() !== 'chunked') return Promise.reject(packedTransfer())
    const expected = this.headers.get('expect')
    if (expected !== undefined && /100-continue/i.test(expected)) response.writeContinue()
    return new Promise((resolve, reject) => {
      const gathering = new BodyBuffer(hold, limit, Number(announced ?? 0))
      if (this.closed) reject(brokenOff())
      this.breakOff = (problem) => {
        gathering.drop()
        reject(problem)
      }
      request.on('data', (piece: Buffer) => {
        try {
          gathering.add(piece)
        } catch (problem) {
          request.removeAllListeners('data')
          request.pause()
          reject(problem)
        }
      })
      request.on('end', () => {
        this.breakOff = undefined
        resolve(gathering.whole())
      })
    })
  }

  readonly respond = (out: Outgoing): void => {
    const { request, response, app } = this
    this.out = out
    const { body } = out
    if (this.closed) {
      if (body && !(body instanceof Uint8Array)) body.cancel()
      out.over?.(false)
      return
    }
    const unread = !request.complete
    // Node's `fetch` takes a connection that breaks off for the end of a stream if the response says `close`.
    const hasEnd =
      body === undefined || body instanceof Uint8Array || headerIn(out.headers, 'content-length') !== undefined
    if (unread || (app.draining && hasEnd)) out.headers.push('connection', 'close')
    // A pipelined request that has to wait for its turn has no socket yet.
    if (unread && response.socket && (body === undefined || body instanceof Uint8Array)) {
      this.respondEarly(out, body)
      return
    }
    if (headerIn(out.headers, 'date') !== undefined) response.sendDate = false
    if (body instanceof Uint8Array && headerIn(out.headers, 'content-length') === undefined)
      out.headers.push('content-length', String(body.length))
    response.writeHead(out.status, out.statusText || undefined, out.headers)
    if (body === undefined || body instanceof Uint8Array) end(response, body)
    else if (out.status === NOT_MODIFIED) {
      // The response may announce a length without a body: reading it would look like a broken connection.
      body.cancel()
      response.end()
    } else void this.stream(body)
  }

  readonly fail = (): void => {
    this.response.destroy()
  }

  /**
   * Answers before the whole request has arrived. Node would close the connection after it, and with unread bytes the
   * client would lose the response. So the response is written to the socket, the socket is half closed, and the rest
   * of the request is discarded for a while.
   */
  private respondEarly({ status, statusText, headers }: Outgoing, body: Uint8Array = Buffer.alloc(0)): void {
    const { request } = this
    const { socket } = request
    const lines = [`HTTP/1.1 ${status} ${statusText || STATUS_CODES[status]}`]
    for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`)
    lines.push(`content-length: ${body.length}`, '', '')
    this.respondedRaw = true
    const head = Buffer.from(lines.join('\r\n'), 'latin1')
    socket.end(this.method === 'HEAD' ? head : Buffer.concat([head, body]))
    request.resume()
    setTimeout(() => socket.destroy(), LINGER).unref()
  }

  private async stream(body: ByteSource): Promise<void> {
    const { response } = this
    markStream(response)
    let begun = false
    // Headers are sent with the first piece if it is available, otherwise alone.
    const flush = setImmediate(() => {
      begun = true
      response.flushHeaders()
    })
    try {
      for (let piece = await body.read(); piece !== undefined; piece = await body.read()) {
        clearImmediate(flush)
        begun = true
        if (!this.closed && !response.write(piece)) await this.room()
        if (this.closed) return body.cancel()
      }
      response.end()
    } catch {
      clearImmediate(flush)
      this.reset(begun)
    }
  }

  /** The upstream broke off, so this response breaks off as well: a clean end would look complete. */
  private reset(begun: boolean): void {
    const { socket } = this.response
    if (this.closed) return
    this.broke = true
    if (!socket) this.response.destroy()
    else if (begun) resetAfterWrites(socket)
    else socket.resetAndDestroy()
  }

  /** Waits until there is room. A client that reads nothing for too long counts as disconnected. */
  private room(): Promise<void> {
    const { response, app } = this
    return new Promise((resolve) => {
      const timer = setTimeout(() => response.destroy(), app.limits.idleTimeoutMs)
      this.wake = () => {
        clearTimeout(timer)
        response.off('drain', this.wake!)
        this.wake = undefined
        resolve()
      }
      response.on('drain', this.wake)
    })
  }

  private readonly over = (): void => {
    this.closed = true
    const whole = this.respondedRaw || this.response.writableFinished
    if (!whole) this.clientAbort.abort()
    this.breakOff?.(brokenOff())
    this.wake?.()
    this.out?.over?.(whole, this.broke)
  }
}

function packedTransfer(): GatewayError {
  return new GatewayError(
    'bad-request',
    'The only supported transfer coding is `chunked`. Use content-encoding to compress the body.',
  )
}

function brokenOff(): GatewayError {
  return new GatewayError('bad-request', 'The request ended before its body was complete.')
}

function end(response: ServerResponse, body: Uint8Array | undefined): void {
  if (body === undefined || body.length > SMALL) response.end(body)
  // A text of single bytes is joined to the headers; anything else is written by itself.
  else response.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'), 'latin1')
}
