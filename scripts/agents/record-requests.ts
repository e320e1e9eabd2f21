/**
 * Loaded into the gateway's process with `node --import`: appends every HTTP request that it receives, and the head of
 * its answer, to the file that SUTURE_AGENTS_RECORD names. A relay in front would not do: it cannot always tell a reset
 * from a closed connection, and clients act on the difference.
 */
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { IncomingMessage, Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Recorded {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Base64. */
  readonly body: string
  readonly status?: number
  readonly answer?: Readonly<Record<string, string>>
}

const file = process.env['SUTURE_AGENTS_RECORD']
if (file !== undefined) {
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    record(request, response, file)
  })
  const emit = Server.prototype.emit as (this: Server, ...all: unknown[]) => boolean
  Server.prototype.emit = function (this: Server, ...all: unknown[]): boolean {
    const [event, request, socket] = all
    if (event === 'upgrade') recordUpgrade(request as IncomingMessage, socket as Socket, file)
    return emit.apply(this, all)
  } as typeof Server.prototype.emit
}

/** A request for a WebSocket has no response object: the head is the first thing written to its socket. */
function recordUpgrade(request: IncomingMessage, socket: Socket, file: string): void {
  const { method = '', url: path = '' } = request
  const { _write: write } = socket
  socket._write = (chunk: Buffer | string, encoding, done) => {
    socket._write = write
    const [head = ''] = String(chunk).split('\r\n\r\n')
    const answer = { status: Number(head.split(' ')[1]), answer: fieldsOf(head) }
    const one: Recorded = { method, path, headers: headersOf(request), body: '', ...answer }
    appendFileSync(file, `${JSON.stringify(one)}\n`)
    write.call(socket, chunk, encoding, done)
  }
}

function record(request: IncomingMessage, response: ServerResponse, file: string): void {
  const chunks: Buffer[] = []
  // The parser pushes each piece of the body; a listener for data would change how it flows.
  request.push = function push(this: IncomingMessage, chunk: Buffer | null, ...rest: []) {
    if (chunk) chunks.push(Buffer.from(chunk))
    return IncomingMessage.prototype.push.call(this, chunk, ...rest)
  }
  response.on('close', () => {
    if (!request.complete) return
    const { method = '', url: path = '' } = request
    const body = Buffer.concat(chunks).toString('base64')
    const one: Recorded = { method, path, headers: headersOf(request), body, ...headOf(response) }
    appendFileSync(file, `${JSON.stringify(one)}\n`)
  })
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

/** The head as it was sent: headers that are given to `writeHead` as a list are nowhere else. */
function headOf(response: ServerResponse): Pick<Recorded, 'status' | 'answer'> {
  const head = (response as ServerResponse & { _header?: string | null })._header
  if (!head) return {}
  return { status: response.statusCode, answer: fieldsOf(head) }
}

function fieldsOf(head: string): Record<string, string> {
  const lines = head.trimEnd().split('\r\n').slice(1)
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
}
