/**
 * The gateway on `node:http`: the only file here that knows sockets.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { SutureError } from '../core/index.ts'
import type { Source } from '../guard/core.ts'
import { tooLarge } from './body.ts'
import type { Gate } from './gate.ts'
import { Problem, type ProblemCode, problemBody, problems } from './problem.ts'
import type { Incoming, Outgoing } from './types.ts'

export interface ListenOptions {
  /** 127.0.0.1 unless told; beyond loopback only with keys. */
  readonly host?: string
  /** 8787 unless told; 0: any free one. */
  readonly port?: number
}

export interface Listening {
  /** `http://127.0.0.1:8787`, without a slash at its end. */
  readonly url: string
  /** Takes no more requests, lets those under way come to their end for so many milliseconds (30,000 unless told), then cuts them. */
  close(grace?: number): Promise<void>
}

/** For so long what still comes of a refused body is thrown away, so that its sender gets to read the refusal. */
const LINGER = 2_000

export async function listen(gate: Gate, { host = '127.0.0.1', port = 8787 }: ListenOptions = {}): Promise<Listening> {
  if (!isLoopback(host) && !gate.guarded)
    throw new SutureError(
      'bad-option',
      `Listening on ${host} would let anyone on the network ask. Give the gateway keys first (suture key makes one), or listen on 127.0.0.1.`,
      { host },
    )
  const server = serverOf(gate)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { url: `http://${name}:${address.port}`, close: (grace = 30_000) => drained(server, gate, grace) }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function serverOf(gate: Gate): Server {
  const { headers, headersTimeout, requestTimeout } = gate.limits
  const server = createServer({
    maxHeaderSize: headers,
    headersTimeout: Math.min(headersTimeout, requestTimeout),
    requestTimeout,
    connectionsCheckingInterval: Math.max(50, Math.min(5_000, headersTimeout / 2)),
    keepAliveTimeout: 65_000,
    noDelay: true,
  })
  server.on('request', (request, response) => void serve(gate, request, response))
  server.on('checkContinue', (request, response) => void serve(gate, request, response))
  server.on('clientError', refuseUnread)
  // Nothing here is upgraded, and nothing is a tunnel.
  server.on('upgrade', (_request, socket) => refuseRaw(socket as Socket, 'bad-request', 'Nothing here is upgraded.'))
  server.on('connect', (_request, socket) => refuseRaw(socket as Socket, 'bad-target', 'This gateway is no tunnel.'))
  return server
}

async function serve(gate: Gate, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const left = new AbortController()
  request.on('error', () => {})
  response.on('error', () => {})
  response.once('close', () => {
    if (!response.writableFinished) left.abort()
  })
  const incoming: Incoming = {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    headers: request.rawHeaders,
    body: () => bodyOf(request, response, gate.limits.body),
    signal: left.signal,
  }
  const out = await gate.handle(incoming)
  const whole = await give(request, response, out, gate).catch(() => false)
  out.over?.(whole)
}

function bodyOf(request: IncomingMessage, response: ServerResponse, limit: number): Promise<Uint8Array> {
  const length = Number(request.headers['content-length'] ?? 0)
  if (length > limit) return Promise.reject(tooLarge(limit))
  if (/100-continue/i.test(request.headers.expect ?? '')) response.writeContinue()
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    request.on('data', (piece: Buffer) => {
      size += piece.length
      if (size > limit) {
        request.removeAllListeners('data')
        request.pause()
        reject(tooLarge(limit))
      } else pieces.push(piece)
    })
    request.once('end', () => resolve(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size)))
    request.once('close', () => reject(new Problem('bad-request', 'The request broke off before its end.')))
  })
}

/** True when the client has taken all of it. */
async function give(request: IncomingMessage, response: ServerResponse, out: Outgoing, gate: Gate) {
  if (response.destroyed) {
    if (out.body && !(out.body instanceof Uint8Array)) out.body.cancel()
    return false
  }
  const unread = !request.complete
  if (gate.draining || unread) out.headers.push('connection', 'close')
  if (hasDate(out.headers)) response.sendDate = false
  response.writeHead(out.status, out.statusText || undefined, out.headers)
  const whole = await write(response, out.body, gate.limits.silence)
  if (unread) linger(request)
  return whole
}

async function write(response: ServerResponse, body: Outgoing['body'], longest: number): Promise<boolean> {
  if (body === undefined || body instanceof Uint8Array) return ended(response, body)
  response.flushHeaders()
  try {
    for (let piece = await body.read(); piece !== undefined; piece = await body.read()) {
      if (response.destroyed) return given(body)
      if (!response.write(piece) && !(await drain(response, longest))) return given(body)
    }
  } catch {
    // The upstream broke off where no error event is known: an end that looks whole would be a lie.
    response.destroy()
    return false
  }
  return ended(response)
}

function given(body: Source): false {
  body.cancel()
  return false
}

function ended(response: ServerResponse, body?: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    response.once('close', () => resolve(response.writableFinished))
    response.end(body, () => resolve(true))
  })
}

/** False when the client is gone, or takes nothing for so long that it counts as gone. */
function drain(response: ServerResponse, longest: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), longest)
    const done = () => {
      clearTimeout(timer)
      response.off('drain', done)
      response.off('close', done)
      resolve(!response.destroyed)
    }
    response.on('drain', done)
    response.on('close', done)
  })
}

function linger(request: IncomingMessage): void {
  const { socket } = request
  request.resume()
  setTimeout(() => socket.destroy(), LINGER).unref()
}

function hasDate(headers: readonly string[]): boolean {
  for (let i = 0; i < headers.length; i += 2) if (headers[i]!.toLowerCase() === 'date') return true
  return false
}

/** Requests that are no HTTP, or too slow, or too large in their headers: there is no request to answer, only a socket. */
function refuseUnread(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else if (error.code === 'HPE_HEADER_OVERFLOW') refuseRaw(socket, 'header-too-large', 'Send fewer or shorter headers.')
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') refuseRaw(socket, 'request-timeout', 'Send it faster.')
  else refuseRaw(socket, 'bad-request', 'This is not HTTP/1.1 as it is written.')
}

function refuseRaw(socket: Socket, code: ProblemCode, message: string): void {
  const body = problemBody(new Problem(code, message), '-')
  const head = `HTTP/1.1 ${problems[code][0]} Refused\r\ncontent-type: application/json\r\nsuture-error: ${code}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`
  socket.on('error', () => {})
  socket.end(Buffer.concat([Buffer.from(head), body]), () => socket.destroy())
}

async function drained(server: Server, gate: Gate, grace: number): Promise<void> {
  gate.draining = true
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const idle = setInterval(() => server.closeIdleConnections(), 100)
  const cut = setTimeout(() => server.closeAllConnections(), grace)
  await closed
  clearInterval(idle)
  clearTimeout(cut)
  await gate.close()
}
