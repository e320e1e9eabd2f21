/**
 * Breaks a client's connection off with a reset. A plain close (FIN) can look like the end of a response; after a reset
 * clients retry.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds after the last write: a reset drops bytes that the operating system has not sent. */
const SETTLE = 50
/** Milliseconds after which a client that reads nothing is reset anyway. */
const LONGEST = 2_000
/** Where the length of a chunk is expected. */
const NO_CHUNK = 'x\r\n'

/** Streamed responses after which the connection is closed. */
const closing = new WeakMap<Socket, ServerResponse>()

/**
 * Notes a streamed response. If the client asked for `connection: close`, Node's `fetch` takes even a reset for its
 * end; bytes that are no chunk cannot be one.
 */
export function markStream(response: ServerResponse): void {
  if (response.socket && !response.shouldKeepAlive) closing.set(response.socket, response)
}

/** Resets the connection after everything that was written to it has been sent. */
export function resetAfterWrites(socket: Socket): void {
  if (socket.destroyed) return
  const response = closing.get(socket)
  if (response?.chunkedEncoding && response.headersSent && !response.writableEnded) socket.write(NO_CHUNK)
  const reset = () => void socket.resetAndDestroy()
  const late = setTimeout(reset, LONGEST)
  socket.once('close', () => clearTimeout(late))
  // An empty write: its callback runs after those of all earlier writes.
  socket.write('', () => setTimeout(reset, SETTLE))
}
