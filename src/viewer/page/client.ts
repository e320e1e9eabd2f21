/** The worker's functions as promises. The worker starts with the first call. */
import type { Api } from '../worker/main.ts'
import { startWorker } from './start-worker.ts'

type Client = { readonly [K in keyof Api]: (...args: Parameters<Api[K]>) => Promise<Awaited<ReturnType<Api[K]>>> }

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

const waiting = new Map<number, Waiting>()
let worker: Worker | undefined
let count = 0

function started(): Worker {
  if (worker) return worker
  worker = startWorker()
  worker.addEventListener('message', ({ data }: MessageEvent<{ id: number; value?: unknown; error?: string }>) => {
    const one = waiting.get(data.id)
    waiting.delete(data.id)
    if (data.error === undefined) one?.resolve(data.value)
    else one?.reject(new Error(data.error))
  })
  worker.addEventListener('error', ({ message }) => {
    for (const one of waiting.values())
      one.reject(new Error(`The viewer's worker failed: ${message}. Reload the page.`))
    waiting.clear()
  })
  return worker
}

export const client = new Proxy({} as Client, {
  get:
    (_, call: string) =>
    (...args: readonly unknown[]) =>
      new Promise((resolve, reject) => {
        const id = ++count
        waiting.set(id, { resolve, reject })
        started().postMessage({ id, call, args })
      }),
})
