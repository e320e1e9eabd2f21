/** Bytes on a socket, for what no client would send. */
import { connect } from 'node:net'

/** Writes the pieces one after the other and returns what comes back until the other side ends, or until it matches. */
export function raw(url: string, pieces: readonly (string | Uint8Array)[], pause = 0): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname).setMaxListeners(0)
    const chunks: Buffer[] = []
    const over = () => resolve(Buffer.concat(chunks).toString('latin1'))
    socket.on('data', (chunk) => chunks.push(chunk))
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

/**
 * Writes these bytes, and returns what came back and how it ended: by a close, or by a reset. `got` gets everything so
 * far, and ends the connection by returning true.
 */
export function heldOpen(
  url: string,
  bytes: string | Uint8Array,
  got: (text: string) => boolean = () => false,
): Promise<{ readonly text: string; readonly ended: 'close' | 'reset' }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let text = ''
    let ended: 'close' | 'reset' = 'close'
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (got(text)) socket.destroy()
    })
    socket.on('error', (error: Error & { code?: string }) => {
      if (error.code === 'ECONNRESET') ended = 'reset'
    })
    socket.on('close', () => resolve({ text, ended }))
  })
}

/** The body of an answer in chunks, as far as it came, and whether its last chunk was there. */
export function unchunked(answer: string): { readonly body: string; readonly whole: boolean } {
  let at = answer.indexOf('\r\n\r\n') + 4
  let body = ''
  while (at < answer.length) {
    const line = answer.indexOf('\r\n', at)
    if (line < 0) break
    const size = Number.parseInt(answer.slice(at, line), 16)
    if (size === 0) return { body, whole: true }
    body += answer.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
  }
  return { body, whole: false }
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
