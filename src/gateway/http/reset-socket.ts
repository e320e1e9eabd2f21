/**
 * Breaks a client's connection off with a reset. A plain close (FIN) can look like the end of a response; after a reset clients retry.
 */
import type { Socket } from 'node:net'

/** Milliseconds after the last write: a reset drops bytes that the operating system has not sent. */
const SETTLE = 50
/** Milliseconds after which a client that reads nothing is reset anyway. */
const LONGEST = 2_000

/** Resets the connection after everything that was written to it has been sent. */
export function resetAfterWrites(socket: Socket): void {
  if (socket.destroyed) return
  const reset = () => void socket.resetAndDestroy()
  const late = setTimeout(reset, LONGEST)
  socket.once('close', () => clearTimeout(late))
  // An empty write: its callback runs after those of all earlier writes.
  socket.write('', () => setTimeout(reset, SETTLE))
}
