/**
 * Answers of the guard as `Response`s: with the address of the one they stand for, and where all of it is there at once, read without a stream.
 */

/** What `fetch` and `Response` take as a body. */
export type Content = NonNullable<RequestInit['body']>

/** What is overridden. The types of some runtimes call it fields, which could not be. */
declare class Overridden {
  constructor(body: Content | null, init: ResponseInit)
  readonly body: ReadableStream | null
  get url(): string
  get redirected(): boolean
  get bodyUsed(): boolean
  text(): Promise<string>
  json(): Promise<unknown>
  arrayBuffer(): Promise<ArrayBuffer>
}

/** A `Response` that has the address of another. */
class Guarded extends (Response as unknown as typeof Overridden) {
  readonly #of: Response

  constructor(body: Content | null, init: ResponseInit, of: Response) {
    super(body, init)
    this.#of = of
  }

  override get url(): string {
    return this.#of.url
  }

  override get redirected(): boolean {
    return this.#of.redirected
  }
}

const decoder = new TextDecoder()

/**
 * One whose bytes are there. Most clients ask once for text or JSON: to send that through the stream costs more than all else that the guard
 * does for a short request. The stream is there for who wants it, and locked once the bytes were taken, as it is behind the runtime's own methods.
 */
class Whole extends Guarded {
  readonly #bytes: Uint8Array
  #used = false

  constructor(bytes: Uint8Array, init: ResponseInit, of: Response) {
    super(bytes as Uint8Array<ArrayBuffer>, init, of)
    this.#bytes = bytes
  }

  override get bodyUsed(): boolean {
    return this.#used || super.bodyUsed
  }

  override async text(): Promise<string> {
    return this.#takes() ? decoder.decode(this.#bytes) : super.text()
  }

  override async json(): Promise<unknown> {
    return this.#takes() ? JSON.parse(decoder.decode(this.#bytes)) : super.json()
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#takes() ? (this.#bytes.slice().buffer as ArrayBuffer) : super.arrayBuffer()
  }

  /** Whether nobody has read of it or is about to; from now on somebody has. */
  #takes(): boolean {
    const { body } = this
    if (!body || body.locked || super.bodyUsed) return false
    body.getReader()
    this.#used = true
    return true
  }
}

/** A response in the place of another. */
export function inPlaceOf(of: Response, body: Uint8Array | Content | null, init: ResponseInit): Response {
  const made = body instanceof Uint8Array ? new Whole(body, init, of) : new Guarded(body, init, of)
  return made as unknown as Response
}
