/**
 * Answers of the guard as `Response`s: with the address of the one they stand for, and where all of it is there at once, read without a stream.
 */

/** What `fetch` and `Response` take as a body. */
export type BodyContent = NonNullable<RequestInit['body']>

/** What is overridden. The types of some runtimes call it fields, which could not be. */
declare class Overridden {
  constructor(body: BodyContent | null, init: ResponseInit)
  get body(): ReadableStream | null
  get url(): string
  get redirected(): boolean
  get bodyUsed(): boolean
  text(): Promise<string>
  json(): Promise<unknown>
  arrayBuffer(): Promise<ArrayBuffer>
  blob(): Promise<Blob>
  formData(): Promise<FormData>
  clone(): Response
}

/** A `Response` that has the address of another. */
class ReplacedResponse extends (Response as unknown as typeof Overridden) {
  readonly #of: Response

  constructor(body: BodyContent | null, init: ResponseInit, of: Response) {
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
class BufferedResponse extends ReplacedResponse {
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

  /** Marks the body as read; false if it was read before or is locked. */
  #takes(): boolean {
    const { body } = this
    if (!body || body.locked || super.bodyUsed) return false
    body.getReader()
    this.#used = true
    return true
  }
}

/** The same for a runtime that reads bodies by methods only: the stream is created on demand, which saves half the cost of a short response. */
class LazyBufferedResponse extends ReplacedResponse {
  readonly #bytes: Uint8Array
  readonly #for: Response
  #usual: Response | undefined
  #used = false

  constructor(bytes: Uint8Array, init: ResponseInit, of: Response) {
    super(null, init, of)
    this.#bytes = bytes
    this.#for = of
  }

  override get body(): ReadableStream | null {
    return this.#real().body as ReadableStream | null
  }

  override get bodyUsed(): boolean {
    return this.#used || (this.#usual?.bodyUsed ?? false)
  }

  override async text(): Promise<string> {
    return this.#takes() ? decoder.decode(this.#bytes) : this.#real().text()
  }

  override async json(): Promise<unknown> {
    return this.#takes() ? JSON.parse(decoder.decode(this.#bytes)) : this.#real().json()
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#takes() ? (this.#bytes.slice().buffer as ArrayBuffer) : this.#real().arrayBuffer()
  }

  /** Newer runtimes have it. */
  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await this.arrayBuffer())
  }

  override blob(): Promise<Blob> {
    return this.#real().blob()
  }

  override formData(): Promise<FormData> {
    return this.#real().formData() as Promise<FormData>
  }

  override clone(): Response {
    const { status, statusText, headers } = this as unknown as Response
    return replaceResponse(this.#for, this.#real().clone().body as BodyContent, { status, statusText, headers })
  }

  /** One of the usual kind with the same bytes; its stream is locked where they were taken. */
  #real(): Response {
    if (!this.#usual) {
      const { headers } = this as unknown as Response
      this.#usual = new Response(this.#bytes as Uint8Array<ArrayBuffer>, { headers })
      if (this.#used) this.#usual.body!.getReader()
    }
    return this.#usual
  }

  #takes(): boolean {
    const usual = this.#usual
    if (this.#used || usual?.bodyUsed || usual?.body?.locked) return false
    usual?.body?.getReader()
    this.#used = true
    return true
  }
}

/** Other runtimes send a `Response` on by themselves and look inside it. Node has nothing that would. */
const usesMethodsOnly = isNode(globalThis as Readonly<Record<string, unknown>>)

function isNode(here: Readonly<Record<string, unknown>>): boolean {
  const { versions } = (here['process'] ?? {}) as { versions?: { node?: string } }
  return versions?.node !== undefined && here['Deno'] === undefined && here['Bun'] === undefined
}

/** A response in the place of another. */
export function replaceResponse(
  of: Response,
  body: Uint8Array | BodyContent | null,
  init: ResponseInit,
  late = usesMethodsOnly,
): Response {
  if (!(body instanceof Uint8Array)) return new ReplacedResponse(body, init, of) as unknown as Response
  return (late ? new LazyBufferedResponse(body, init, of) : new BufferedResponse(body, init, of)) as unknown as Response
}
