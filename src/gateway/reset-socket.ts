/**
 * Breaks a client's connection off by a reset. A plain close (FIN) can read as the end of an answer; after a reset clients ask again.
 */
import type { Socket } from 'node:net'

/** What the system has taken may still be on its way, and a reset would drop it. */
const SETTLE = 50
/** A client that takes nothing is not waited for any longer. */
const LONGEST = 2_000

/** Resets the connection once all that was written to it has left. */
export function resetAfterWrites(socket: Socket): void {
  if (socket.destroyed) return
  const reset = () => void socket.resetAndDestroy()
  const late = setTimeout(reset, LONGEST)
  socket.once('close', () => clearTimeout(late))
  // Nothing, written last: its callback comes after those of all bytes before it.
  socket.write('', () => setTimeout(reset, SETTLE))
}
