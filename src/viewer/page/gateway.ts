/** The gateway's API. The key is kept in memory only: never in the address, a cookie or storage. */
import { createSignal } from 'solid-js'
import { splitter } from '../../dialects/replies/index.ts'

export interface SessionSummary {
  readonly id: string
  readonly provider: string
  readonly dialect: string
  readonly model?: string
  readonly head: number
  readonly messages: number
  readonly turns: number
  readonly tokens: number
  readonly window: number
  readonly errors: number
  readonly warnings: number
  readonly open: number
  /** Milliseconds since 1970, of the last record. */
  readonly at?: number
}

export interface RequestEvent {
  readonly seq: number
  readonly at: number
  readonly id: string
  readonly method: string
  readonly upstream: string
  readonly path: string
  readonly mode: string
  readonly status: number
  readonly ms: number
  /** Milliseconds that the gateway itself took before it sent the request. */
  readonly overheadMs?: number
  readonly session?: string
  /** Counts by rule. */
  readonly findings?: Readonly<Record<string, number>>
  /** A rule, or the name of a class of rejections. */
  readonly rejection?: string
  /** Edits by place and kind. */
  readonly changes?: readonly string[]
  /** Names of the changed rounds. */
  readonly rounds?: readonly string[]
  /** As the provider reported them. */
  readonly tokens?: { readonly input?: number; readonly output?: number; readonly cached?: number }
  readonly [name: string]: unknown
}

export const [needsKey, setNeedsKey] = createSignal(false)
let key: string | undefined

export function useKey(given: string): void {
  key = given
  setNeedsKey(false)
}

function headers(): Record<string, string> {
  return key === undefined ? {} : { 'suture-key': key }
}

export function sessionPath(id: string): string {
  return `sessions/${encodeURIComponent(id)}`
}

export async function call<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<T> {
  const response = await fetch(`/suture/v1/${path}`, {
    method,
    headers: { ...headers(), ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const answer = (await response.json()) as { error?: { code?: string; message?: string } }
  if (response.ok) return answer as T
  if (answer.error?.code === 'key-missing' || answer.error?.code === 'key-unknown') setNeedsKey(true)
  throw new Error(answer.error?.message ?? `The gateway answered with ${response.status}.`)
}

/** Events as they arrive, from the oldest that the gateway has. Reconnects, and gets the missed events. */
export async function listen(
  onEvent: (event: RequestEvent) => void,
  onState: (connected: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  let last = 0
  while (!signal.aborted) {
    try {
      const response = await fetch(`/suture/v1/events?after=${last}`, { headers: headers(), signal })
      if (response.status === 401) return void setNeedsKey(true)
      if (!response.ok || !response.body) throw new Error(String(response.status))
      onState(true)
      const frames = splitter('sse')
      const reader = response.body.getReader()
      for (let read = await reader.read(); !read.done; read = await reader.read())
        for (const { data } of frames.push(read.value)) {
          const event = JSON.parse(data) as RequestEvent
          last = Math.max(last, event.seq)
          onEvent(event)
        }
    } catch {
      if (signal.aborted) return
    }
    onState(false)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
  }
}
