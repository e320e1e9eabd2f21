/**
 * Load and upstream for the benches of the gateway, on bare sockets: their own cost must not hide what is measured.
 */
import { connect, createServer, type Server, type Socket } from 'node:net'

const END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** Counts the bytes of messages on a connection and reports when one is complete. */
class MessageCounter {
  private head: Buffer = Buffer.alloc(0)
  private left = -1
  private tail: Buffer = Buffer.alloc(0)
  private chunked = false
  status = 0

  /** True when this piece ends a message; nothing here sends two at once. */
  push(piece: Buffer): boolean {
    if (this.left >= 0) this.left -= piece.length
    else if (!this.begin(piece)) return false
    if (!this.chunked) return this.left === 0 && this.again()
    this.tail = piece.length >= 5 ? piece.subarray(-5) : Buffer.concat([this.tail, piece]).subarray(-5)
    return this.tail.equals(LAST_CHUNK) && this.again()
  }

  private begin(piece: Buffer): boolean {
    this.head = this.head.length === 0 ? piece : Buffer.concat([this.head, piece])
    const at = this.head.indexOf(END)
    if (at < 0) return false
    const text = this.head.toString('latin1', 0, at)
    this.status = Number(text.slice(9, 12))
    this.chunked = /transfer-encoding: chunked/i.test(text)
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
    this.left = this.chunked ? Number.MAX_SAFE_INTEGER : length - (this.head.length - at - 4)
    return true
  }

  private again(): true {
    this.left = -1
    this.head = this.tail = Buffer.alloc(0)
    return true
  }
}

export interface Answering {
  /** All of an answer, head and body. */
  readonly whole?: Buffer
  /** Or its events, each written by itself. */
  readonly events?: readonly Buffer[]
  /** Then nothing more, and no end. */
  readonly endless?: boolean
}

const EVENT_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'

export interface Mock {
  readonly url: string
  answering: Answering
  /** Streams without an end that were closed, and when the latest of them was. */
  readonly closed: { count: number; at: number }
  close(): void
}

/** An upstream that reads requests to their end and sends the configured answer. */
export async function mock(answering: Answering): Promise<Mock> {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    const whole = new MessageCounter()
    let endless = false
    sockets.add(socket)
    socket.on('data', (piece) => {
      if (!whole.push(piece)) return
      endless = made.answering.endless ?? false
      if (made.answering.whole) socket.write(made.answering.whole)
      else stream(socket, made.answering)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      if (!endless) return
      made.closed.count++
      made.closed.at = performance.now()
    })
  })
  const port = await listening(server)
  const made: Mock = {
    url: `http://127.0.0.1:${port}`,
    answering,
    closed: { count: 0, at: 0 },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
  return made
}

function stream(socket: Socket, { events = [], endless }: Answering): void {
  socket.write(EVENT_HEAD)
  let at = 0
  const next = () => {
    if (socket.destroyed) return
    const event = events[at++]
    if (!event && endless) return
    socket.write(event ? chunk(event) : LAST_CHUNK)
    if (event) setImmediate(next)
  }
  setImmediate(next)
}

function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
}

/** A JSON response as bytes on the wire. */
export function answerOf(json: string): Buffer {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n`
  return Buffer.from(head + json)
}

/** What every request of a bench has, as clients send it. */
export const HEADERS = {
  host: 'localhost',
  'content-type': 'application/json',
  authorization: 'Bearer sk-0123456789abcdef0123456789abcdef',
  accept: 'application/json',
  'user-agent': 'bench/1.0',
} as const

/** A request as bytes on the wire. */
export function requestOf(path: string, body: Uint8Array, headers: Readonly<Record<string, string>> = {}): Buffer {
  const lines = Object.entries({
    ...HEADERS,
    ...headers,
    'content-length': String(body.length),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body])
}

export interface Loaded {
  readonly count: number
  readonly seconds: number
  /** Milliseconds from a request to its first byte, in order. */
  readonly first: readonly number[]
}

/** Sends this many requests over this many connections; a connection sends the next one after its answer. */
export async function load(url: string, request: Buffer, connections: number, times: number): Promise<Loaded> {
  const began = performance.now()
  const first: number[] = []
  let count = 0
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').setNoDelay(true)
      const whole = new MessageCounter()
      let asked = 0
      const ask = () => {
        if (count++ >= times) return void socket.destroy()
        asked = performance.now()
        socket.write(request)
      }
      socket.once('connect', ask)
      socket.on('data', (piece) => {
        if (asked > 0) first.push(performance.now() - asked)
        asked = 0
        if (!whole.push(piece)) return
        if (whole.status === 200) ask()
        else reject(new Error(`Answered with ${whole.status}: ${piece.toString().slice(0, 300)}`))
      })
      socket.on('error', reject)
      socket.on('close', () => resolve())
    })
  await Promise.all(Array.from({ length: connections }, one))
  return { count: times, seconds: (performance.now() - began) / 1000, first: first.sort((a, b) => a - b) }
}
