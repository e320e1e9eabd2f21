/**
 * Between `Response` and the sources of the core.
 */
import type { Content } from './bodies.ts'
import type { Source } from './source.ts'

/** Takes nothing until somebody reads. */
export class ResponseSource implements Source {
  private readonly response: Response
  private reader: ReadableStreamDefaultReader<Uint8Array> | undefined

  constructor(response: Response) {
    this.response = response
  }

  read(): Promise<Uint8Array | undefined> {
    this.reader ??= this.response.body?.getReader() as typeof this.reader
    return this.reader ? this.reader.read().then(pieceOf) : Promise.resolve(undefined)
  }

  async all(): Promise<Uint8Array> {
    return new Uint8Array(await this.response.arrayBuffer())
  }

  cancel(reason?: unknown): void {
    const left = this.reader ? this.reader.cancel(reason) : this.response.body?.cancel(reason)
    left?.catch(() => {})
  }
}

function pieceOf(next: { done: boolean; value?: Uint8Array | undefined }): Uint8Array | undefined {
  return next.done ? undefined : next.value
}

/** The response as it came when there is nothing to say about it; else one with its status, its headers and ours. */
export function responseOf(
  response: Response,
  body: Uint8Array | Source | undefined,
  extra: Readonly<Record<string, string>>,
): Response {
  const names = Object.keys(extra)
  if (body === undefined && names.length === 0) return response
  let { headers } = response
  if (names.length > 0) {
    headers = new Headers(headers)
    for (const name of names) headers.set(name, extra[name]!)
  }
  const { status, statusText, url } = response
  const content = body === undefined ? response.body : body instanceof Uint8Array ? body : streamOf(body)
  const made = new Response(response.body === null ? null : (content as Content), { status, statusText, headers })
  // What is guarded may end otherwise than it came.
  if (body !== undefined && !(body instanceof Uint8Array)) made.headers.delete('content-length')
  if (url) Object.defineProperty(made, 'url', { value: url })
  return made
}

function streamOf(source: Source): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await source.read()
        if (piece) controller.enqueue(piece)
        else controller.close()
      },
      cancel: (reason) => source.cancel(reason),
    },
    // Nothing is read ahead: the caller's pace is the provider's.
    { highWaterMark: 0 },
  )
}
