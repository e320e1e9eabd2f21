import { createCore } from './core.ts'
import { deliver, pause } from './deliver.ts'
import { join } from './eventstream.ts'
import type { Answer, Contract, ContractOptions, Ending } from './types.ts'

/** A `fetch` that answers as a provider does, with the controls of the emulator. */
export type ContractFetch = typeof fetch & Contract

/** A `fetch` that answers as the server does, without a socket. The host of the address does not matter. */
export function contractFetch(options: ContractOptions = {}): ContractFetch {
  const core = createCore(options)
  const ask: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    const { pathname, search } = new URL(request.url)
    const bytes = new Uint8Array(await request.arrayBuffer())
    const headers = Object.fromEntries(request.headers)
    const { answer, over } = core.answer({ method: request.method, path: pathname + search, headers, bytes })
    return respond(answer, over, request.signal)
  }
  return Object.assign(ask, { requests: core.requests, script: core.script })
}

async function respond(answer: Answer, over: (ending: Ending) => void, signal: AbortSignal): Promise<Response> {
  const { status, headers } = answer
  await pause(answer.delay, signal)
  if (signal.aborted) {
    over('disconnected')
    throw signal.reason
  }
  // A complete answer is available at once; a stream advances only as far as it is read.
  const whole = answer.ending === 'end' && 'content-length' in headers
  if (whole) over('end')
  const body = whole ? join(answer.writes) : stream(answer, over, signal)
  return new Response(body, { status, headers })
}

function stream(answer: Answer, over: (ending: Ending) => void, signal: AbortSignal): ReadableStream<Uint8Array> {
  const leaving = new AbortController()
  const writes = deliver({ ...answer, delay: 0 }, AbortSignal.any([signal, leaving.signal]))
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await writes.next()
        if (signal.aborted) {
          over('disconnected')
          controller.error(signal.reason)
        } else if (!next.done) {
          controller.enqueue(next.value)
        } else if (answer.ending === 'cut') {
          over('cut')
          // The text of Node's own fetch for a server that disconnects during a response.
          controller.error(new TypeError('terminated', { cause: new Error('other side closed') }))
        } else {
          over(answer.ending)
          controller.close()
        }
      },
      cancel() {
        over('disconnected')
        leaving.abort()
      },
    },
    // Nothing is read ahead: a cut comes after the bytes before it were read.
    { highWaterMark: 0 },
  )
}
