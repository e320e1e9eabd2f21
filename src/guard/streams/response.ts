/** Converts between `Response` and byte sources. */

import { type BodyContent, replaceResponse } from './buffered-response.ts'
import type { ByteSource } from './byte-source.ts'

/** Reads nothing before the first call. */
export class ResponseSource implements ByteSource {
  private readonly response: Response
  private reader: ReadableStreamDefaultReader<Uint8Array> | undefined

  constructor(response: Response) {
    this.response = response
  }

  read(): Promise<Uint8Array | undefined> {
    this.reader ??= this.response.body?.getReader() as typeof this.reader
    return this.reader ? this.reader.read().then(pieceOf) : Promise.resolve(undefined)
  }

  pass<T>(take: (piece: Uint8Array | undefined) => T, fail: (error: unknown) => T): Promise<Awaited<T>> {
    this.reader ??= this.response.body?.getReader() as typeof this.reader
    const { reader } = this
    if (!reader) return Promise.resolve(undefined).then(take) as Promise<Awaited<T>>
    return reader.read().then((next) => take(pieceOf(next)), fail) as Promise<Awaited<T>>
  }

  cancel(reason?: unknown): void {
    const left = this.reader ? this.reader.cancel(reason) : this.response.body?.cancel(reason)
    left?.catch(() => {})
  }
}

function pieceOf(next: { done: boolean; value?: Uint8Array | undefined }): Uint8Array | undefined {
  return next.done ? undefined : next.value
}

/** The original response if nothing is reported, otherwise one with its status, its headers and the guard's. */
export function responseOf(
  response: Response,
  body: Uint8Array | ByteSource | undefined,
  extra: Readonly<Record<string, string>>,
): Response {
  const names = Object.keys(extra)
  if (body === undefined && names.length === 0) return response
  let { headers } = response
  if (names.length > 0) {
    headers = new Headers(headers)
    for (const name of names) headers.set(name, extra[name]!)
  }
  const init = { status: response.status, statusText: response.statusText, headers }
  if (response.body === null) return replaceResponse(response, null, init)
  if (body instanceof Uint8Array) return replaceResponse(response, body, init)
  const made = replaceResponse(response, body ? streamOf(body) : (response.body as BodyContent), init)
  // A guarded body may have another length.
  if (body) made.headers.delete('content-length')
  return made
}

function streamOf(source: ByteSource): ReadableStream<Uint8Array> {
  let give: (piece: Uint8Array | undefined) => void
  return new ReadableStream<Uint8Array>(
    {
      // No closure per piece: a stream has thousands.
      start(controller) {
        give = (piece) => {
          if (piece) controller.enqueue(piece)
          else controller.close()
        }
      },
      pull: () => source.read().then(give),
      cancel: (reason) => source.cancel(reason),
    },
    // Nothing is read ahead: the caller's pace is the provider's.
    { highWaterMark: 0 },
  )
}
