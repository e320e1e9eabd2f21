/** Requests as they pass the gateway: at most a thousand, the newest last, kept while the page is open. */
import { createSignal } from 'solid-js'
import { listen, type RequestEvent } from './gateway.ts'
import { mode } from './opened.ts'

const MOST = 1_000

const [events, setEvents] = createSignal<readonly RequestEvent[]>([])
export const lastEvent = () => events().at(-1)
const [connected, setConnected] = createSignal(false)

/** A request counts as arriving for this long. */
const ARRIVING_MS = 8_000
/** The session of the request that has just arrived; `''`: a request without one. */
const [arriving, setArriving] = createSignal<string>()

export { arriving, connected, events }

let quiet: ReturnType<typeof setTimeout> | undefined

/** The gateway first sends the events that it has kept. Old ones are not marked. */
function mark({ session = '', at }: RequestEvent): void {
  if (Date.now() - at > ARRIVING_MS) return
  clearTimeout(quiet)
  setArriving(session)
  quiet = setTimeout(() => setArriving(undefined), ARRIVING_MS)
}

let controller: AbortController | undefined

/** Listens to the gateway; called again with another key. */
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
