import { createServer as createHttp1, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttp2, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { type Core, createCore } from './core.ts'
import { deliver } from './deliver.ts'
import type { Answer, Contract, ContractOptions, Ending } from './types.ts'

/** An emulator that listens on a port. */
export interface RunningContract extends Contract {
  /** `http://127.0.0.1:{port}`, without a slash at its end. */
  readonly url: string
  close(): Promise<void>
}

/** Options of an emulator on a port. */
export interface ServerOptions extends ContractOptions {
  /** Default: any free port. */
  readonly port?: number
}

type In = IncomingMessage | Http2ServerRequest
type Out = ServerResponse | Http2ServerResponse

/** Starts the contract on 127.0.0.1. It accepts HTTP/1.1, and HTTP/2 without TLS, which the AWS client uses. */
export async function startContract(options: ServerOptions = {}): Promise<RunningContract> {
  const core = createCore(options)
  const sockets = new Set<Socket>()
  const server = listener(core, sockets)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests: core.requests,
    script: core.script,
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      return closed
    },
  }
}

// One port for both: the first bytes of a connection tell the version of HTTP.
function listener(core: Core, sockets: Set<Socket>): Server {
  const http1 = createHttp1((request, response) => void serve(core, request, response))
  const http2 = createHttp2((request, response) => void serve(core, request, response))
  return createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay()
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.once('data', (first) => {
      socket.pause()
      socket.unshift(first)
      const second = first.toString('latin1', 0, 3) === 'PRI'
      if (second) return http2.emit('connection', wrapped(socket))
      http1.emit('connection', socket)
      return socket.resume()
    })
  })
}

// HTTP/2 would read from the handle of the socket, which no longer has the first bytes: so it gets a stream without a
// handle.
function wrapped(socket: Socket): Duplex {
  const duplex = new Duplex({
    read: () => void socket.resume(),
    write: (chunk, encoding, done) => void socket.write(chunk, encoding, done),
    final: (done) => void socket.end(done),
    destroy: (error, done) => {
      socket.destroy()
      done(error)
    },
  })
  socket.on('data', (chunk) => {
    if (!duplex.push(chunk)) socket.pause()
  })
  socket.on('end', () => duplex.push(null))
  socket.on('close', () => duplex.destroy())
  return duplex
}

async function serve(core: Core, request: In, response: Out): Promise<void> {
  // A client that disconnects is not an error; the record has it.
  request.on('error', () => {})
  response.on('error', () => {})
  try {
    const bytes = await bytesOf(request)
    const incoming = { method: request.method ?? '', path: request.url ?? '/', headers: headersOf(request), bytes }
    const { answer, over } = core.answer(incoming)
    over(await send(answer, response))
  } catch (error) {
    // An error of the contract itself (a function in a script threw) must not look like a scripted one. A body that is
    // nested deeper than the stack is the client's.
    const status = error instanceof RangeError ? 400 : 500
    if (!response.headersSent) response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ contract: String(error) }))
  }
}

async function bytesOf(request: In): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  return new Uint8Array(Buffer.concat(chunks))
}

function headersOf(request: In): Record<string, string> {
  const pairs = Object.entries(request.headers).filter(([name]) => !name.startsWith(':'))
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
}

async function send(answer: Answer, response: Out): Promise<Ending> {
  const leaving = new AbortController()
  response.once('close', () => leaving.abort())
  let begun = false
  for await (const write of deliver(answer, leaving.signal)) {
    if (!begun) begin(answer, response)
    begun = true
    await flushed(response, write)
    // One turn of the event loop between two writes: they are sent one by one, and a disconnect is noticed.
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (leaving.signal.aborted) return answer.ending === 'stall' ? 'stall' : 'disconnected'
  if (!begun) begin(answer, response)
  if (answer.ending === 'cut') cut(response)
  else response.end()
  return answer.ending
}

function begin(answer: Answer, response: Out): void {
  response.writeHead(answer.status, answer.headers)
  if ('flushHeaders' in response) response.flushHeaders()
}

function cut(response: Out): void {
  if ('stream' in response) response.stream.close(2)
  else response.destroy()
}

// Resolves when the operating system has the bytes, so that they arrive before a cut.
function flushed(response: Out, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve)
    const written = () => {
      response.off('close', resolve)
      resolve()
    }
    if ('stream' in response) (response as Http2ServerResponse).write(bytes, 'utf8', written)
    else (response as ServerResponse).write(bytes, written)
  })
}
