/** The gateway on `node:http`: listening, errors before there is a request, and shutdown. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { SutureError } from '../../core/index.ts'
import type { GatewayApp } from '../app.ts'
import { errorBody, GatewayError, type GatewayErrorCode, gatewayErrors } from '../gateway-error.ts'
import { serveConnection } from './node-connection.ts'
import { resetAfterWrites } from './reset-socket.ts'

/** Not the port of another gateway, model server or development server, and below the range of outgoing connections. */
export const DEFAULT_PORT = 28_873

/** Where a gateway listens. */
export interface ListenOptions {
  /** Default: 127.0.0.1. Beyond loopback only with keys. */
  readonly host?: string
  /** Default: `DEFAULT_PORT`. 0: any free port. */
  readonly port?: number
}

/** A gateway that listens. */
export interface Listening {
  /** `http://127.0.0.1:28873`, without a slash at its end. */
  readonly url: string
  /**
   * Drains: from now on `/suture/ready` answers 503. Requests are served for `drainDelayMs` milliseconds more (default:
   * 0), so that balancers notice. Then it accepts no more, lets running ones finish for `drainTimeoutMs` milliseconds
   * (default: 30,000) and resets the rest. A second call ends the delay.
   */
  close(drainTimeoutMs?: number, drainDelayMs?: number): Promise<void>
}

export async function listen(
  app: GatewayApp,
  { host = '127.0.0.1', port = DEFAULT_PORT }: ListenOptions = {},
): Promise<Listening> {
  if (!isLoopback(host) && !app.guarded)
    throw new SutureError(
      'bad-option',
      `Listening on ${host} without keys would let anyone on the network use the gateway. Configure keys first (suture key NAME creates one), or listen on 127.0.0.1.`,
      { host },
    )
  const server = serverOf(app)
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, host, port)))
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { url: `http://${name}:${address.port}`, close: closer(server, sockets, app) }
}

/** The error for an address that cannot be listened on, with the next step. */
function listenError(error: Error & { code?: string }, host: string, port: number): Error {
  const why: Readonly<Record<string, string>> = {
    EADDRINUSE: 'The port is in use. Stop the other process, or choose another port with --port (0: any free one).',
    EACCES: 'No permission to listen on this port. Choose a port above 1023 with --port.',
    EADDRNOTAVAIL: 'This machine has no such address. Choose another with --host.',
    ENOTFOUND: 'There is no such host. Give an address of this machine with --host.',
  }
  const step = why[error.code ?? '']
  return step === undefined ? error : new SutureError('bad-option', `${host}:${port}: ${step}`, { host, port })
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function serverOf(app: GatewayApp): Server {
  const { maxHeaderBytes, headersTimeoutMs, requestTimeoutMs } = app.limits
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.max(50, Math.min(5_000, headersTimeoutMs / 2)),
    keepAliveTimeout: 65_000,
    noDelay: true,
  })
  server.on('request', (request, response) => serveConnection(app, request, response))
  server.on('checkContinue', (request, response) => serveConnection(app, request, response))
  server.on('clientError', rejectUnread)
  // Nothing is upgraded here: without a listener such a request is handled like any other. CONNECT is rejected.
  server.on('connect', (_request, socket) => rejectRaw(socket as Socket, 'bad-target', 'CONNECT is not supported.'))
  return server
}

/** Answers requests that are invalid, too slow, or have too large headers: there is only a socket. */
function rejectUnread(error: Error & { code?: string; rawPacket?: Buffer }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else if (error.code === 'HPE_HEADER_OVERFLOW') rejectRaw(socket, 'header-too-large', 'Send fewer or shorter headers.')
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    rejectRaw(
      socket,
      'request-timeout',
      'The request took too long to arrive. Send it faster, or raise `limits.requestTimeoutMs`.',
    )
  else rejectRaw(socket, 'bad-request', 'The request is not valid HTTP/1.1.', isHead(error.rawPacket))
}

/** The response to HEAD has no body: a client takes one for the beginning of another response. */
function isHead(packet: Buffer | undefined): boolean {
  return packet?.toString('latin1', 0, 5) === 'HEAD '
}

function rejectRaw(socket: Socket, code: GatewayErrorCode, message: string, hasNoBody = false): void {
  const body = errorBody(new GatewayError(code, message), '-')
  const head = `HTTP/1.1 ${gatewayErrors[code][0]} Error\r\ncontent-type: application/json\r\nsuture-error: ${code}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`
  socket.on('error', () => {})
  socket.end(hasNoBody ? head : Buffer.concat([Buffer.from(head), body]), () => socket.destroy())
}

function closer(server: Server, sockets: ReadonlySet<Socket>, app: GatewayApp): Listening['close'] {
  let hurry = () => {}
  return async (drainTimeoutMs = 30_000, drainDelayMs = 0) => {
    hurry()
    app.drain()
    if (drainDelayMs > 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, drainDelayMs)
        hurry = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    await drained(server, sockets, app, drainTimeoutMs)
  }
}

async function drained(
  server: Server,
  sockets: ReadonlySet<Socket>,
  app: GatewayApp,
  drainTimeoutMs: number,
): Promise<void> {
  app.closing = true
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const idle = setInterval(() => server.closeIdleConnections(), 100)
  // Reset, not closed: a response without a length would look complete.
  const cut = setTimeout(() => {
    for (const socket of sockets) resetAfterWrites(socket)
  }, drainTimeoutMs)
  await closed
  clearInterval(idle)
  clearTimeout(cut)
  await app.close()
}
