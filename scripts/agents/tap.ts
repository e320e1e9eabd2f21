/**
 * A TCP relay that records the HTTP requests which pass through it. Bytes, half-closed connections and resets are passed on as they
 * come, so a client sees the same end of a stream as without the relay.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { httpReader } from './http-copy.ts'
import type { Exchange } from './types.ts'

export interface Tap {
  readonly url: string
  readonly exchanges: readonly Exchange[]
  close(): Promise<void>
}

export async function startTap(target: string): Promise<Tap> {
  const exchanges: Exchange[] = []
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const upstream = connect({ host: '127.0.0.1', port: Number(new URL(target).port), allowHalfOpen: true })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    }
    observe(client, upstream, exchanges)
    relay(client, upstream)
    relay(upstream, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function relay(from: Socket, to: Socket): void {
  from.pipe(to)
  from.on('error', () => {
    // The bytes that came before the reset go out first.
    if (to.writable) to.write(Buffer.alloc(0), () => to.resetAndDestroy())
    else to.resetAndDestroy()
  })
  from.on('close', (failed) => {
    if (!failed && !to.writableEnded) to.end()
  })
}

/** Requests and answers of one connection belong together by their order. */
function observe(client: Socket, upstream: Socket, exchanges: Exchange[]): void {
  const open: Exchange[] = []
  const requests = httpReader({
    whole({ start, headers, body }) {
      const [method = '', path = ''] = start.split(' ')
      const exchange: Exchange = { method, path, headers, body }
      open.push(exchange)
      exchanges.push(exchange)
    },
  })
  const statusOf = (start: string) => Number(start.split(' ')[1])
  const bodyless = (start: string) => {
    const status = statusOf(start)
    return status < 200 || status === 204 || status === 304 || open[0]?.method === 'HEAD'
  }
  const answers = httpReader(
    {
      head(start, headers) {
        const [exchange] = open
        if (exchange && statusOf(start) >= 200) Object.assign(exchange, { status: statusOf(start), answer: headers })
      },
      whole: ({ start }) => {
        if (statusOf(start) >= 200) open.shift()
      },
    },
    bodyless,
  )
  client.on('data', (bytes: Buffer) => requests.push(bytes))
  upstream.on('data', (bytes: Buffer) => answers.push(bytes))
}
