/** Bytes on a socket, for what no client would send. */
import { connect } from 'node:net'

/** Writes the pieces one after the other and takes what comes back until the other side ends, or until it has said enough. */
export function raw(url: string, pieces: readonly (string | Uint8Array)[], pause = 0): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname).setMaxListeners(0)
    const said: Buffer[] = []
    const over = () => resolve(Buffer.concat(said).toString('latin1'))
    socket.on('data', (chunk) => said.push(chunk))
    socket.on('error', () => {})
    socket.on('close', over)
    const write = async () => {
      for (const piece of pieces) {
        if (socket.destroyed) return
        if (!socket.write(piece))
          await new Promise<void>((next) => {
            socket.once('drain', next)
            socket.once('close', next)
          })
        if (pause > 0) await new Promise((next) => setTimeout(next, pause))
      }
    }
    socket.once('connect', () => void write())
  })
}

/** A POST with this body and these headers, closed afterwards. */
export function post(path: string, body: string | Uint8Array, headers: readonly string[] = []): Buffer {
  const bytes = Buffer.from(body)
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${bytes.length}`,
    'Connection: close',
    ...headers,
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes])
}
