/**
 * Requests as they pass the gateway. Kept while the page is open, the newest last, at most a thousand.
 */
import { createSignal } from 'solid-js'
import { listen, type RequestEvent } from './gateway.ts'
import { mode } from './state.ts'

const MOST = 1_000

export const [events, setEvents] = createSignal<readonly RequestEvent[]>([])
export const [lastEvent, setLastEvent] = createSignal<RequestEvent>()
export const [connected, setConnected] = createSignal(false)

let controller: AbortController | undefined

/** Begins to listen, or begins again with another key. */
export function follow(): void {
  if (mode !== 'gateway') return
  controller?.abort()
  controller = new AbortController()
  void listen(
    (event) => {
      setEvents([...events().slice(1 - MOST), event])
      setLastEvent(event)
    },
    setConnected,
    controller.signal,
  )
}
