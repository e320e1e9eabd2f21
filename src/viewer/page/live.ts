/**
 * Requests as they pass the gateway. Kept while the page is open, the newest last, at most a thousand.
 */
import { createSignal } from 'solid-js'
import { listen, type RequestEvent } from './gateway.ts'
import { mode } from './opened.ts'

const MOST = 1_000

const [events, setEvents] = createSignal<readonly RequestEvent[]>([])
export const lastEvent = () => events().at(-1)
const [connected, setConnected] = createSignal(false)

/** A record of a session counts as arriving for this long. */
const ARRIVING_MS = 8_000
/** The session of which something has just arrived. */
const [arriving, setArriving] = createSignal<string>()

export { arriving, connected, events }

let quiet: ReturnType<typeof setTimeout> | undefined

/** The gateway first sends the events that it has kept: old ones do not count. */
function mark({ session, at }: RequestEvent): void {
  if (session === undefined || Date.now() - at > ARRIVING_MS) return
  clearTimeout(quiet)
  setArriving(session)
  quiet = setTimeout(() => setArriving(undefined), ARRIVING_MS)
}

let controller: AbortController | undefined

/** Begins to listen, or begins again with another key. */
export function follow(): void {
  if (mode !== 'gateway') return
  controller?.abort()
  controller = new AbortController()
  void listen(
    (event) => {
      setEvents([...events().slice(1 - MOST), event])
      mark(event)
    },
    setConnected,
    controller.signal,
  )
}
