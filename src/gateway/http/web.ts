/** The same gateway as a web-standard handler: `Request` in, `Response` out. */
import { type ByteSource, streamCut } from '../../guard/transport.ts'
import type { GatewayApp } from '../app.ts'
import { errorBody, GatewayError } from '../gateway-error.ts'
import { BodyBuffer, type MemoryHold } from '../protection/index.ts'
import type { Incoming, Outgoing } from '../types.ts'
import { HeaderList } from './headers.ts'

const NO_BODY = new Set([101, 204, 205, 304])
const MOST = 599

export async function respond(app: GatewayApp, request: Request): Promise<Response> {
  const { pathname, search, host } = new URL(request.url)
  const headers = [...request.headers].flat()
  if (!request.headers.has('host')) headers.push('host', host)
  const incoming: Incoming = {
    method: request.method,
    target: pathname + search,
    headers: new HeaderList(headers),
    body: (hold) => bodyOf(request, app.limits.maxBodyBytes, hold),
    signal: request.signal,
  }
  const out = await app.handle(incoming)
  const { status, statusText = '', body } = out
  if (status > MOST) return invalidStatus(out)
  const given = new Headers()
  for (let i = 0; i < out.headers.length; i += 2) given.append(out.headers[i]!, out.headers[i + 1]!)
  const over = out.over ?? (() => {})
  if (body === undefined || body instanceof Uint8Array || NO_BODY.has(status)) {
    over(true)
    const content = NO_BODY.has(status) ? null : (body as Uint8Array<ArrayBuffer>)
    return new Response(content, { status, statusText, headers: given })
  }
  return new Response(streamOf(body, over), { status, statusText, headers: given })
}

/** A status that `node:http` can send and a `Response` cannot have. */
function invalidStatus({ status, body, over }: Outgoing): Response {
  if (body && !(body instanceof Uint8Array)) body.cancel()
  over?.(false)
  const problem = new GatewayError('upstream-failed', `The upstream answered with an invalid status (${status}).`)
  const headers = { 'content-type': 'application/json', 'suture-error': problem.code }
  return new Response(errorBody(problem, '-') as Uint8Array<ArrayBuffer>, { status: problem.status, headers })
}

async function bodyOf(request: Request, limit: number, hold: MemoryHold): Promise<Uint8Array> {
  const gathering = new BodyBuffer(hold, limit)
  for await (const piece of request.body ?? []) gathering.add(piece as Uint8Array)
  return gathering.whole()
}

function streamOf(source: ByteSource, over: NonNullable<Outgoing['over']>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await source.read()
          if (piece) return controller.enqueue(piece)
          controller.close()
          over(true)
        } catch (error) {
          over(false, true)
          controller.error(streamCut('the upstream closed the connection', error))
        }
      },
      cancel(reason) {
        source.cancel(reason)
        over(false)
      },
    },
    { highWaterMark: 0 },
  )
}
