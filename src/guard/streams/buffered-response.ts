/**
 * Responses of the guard as `Response` objects: with the URL of the original, and read without a stream if all bytes are there.
 */

/** The types of bodies that `fetch` and `Response` accept. */
export type BodyContent = NonNullable<RequestInit['body']>

/** The overridden methods. Some runtimes declare them as fields, which cannot be overridden. */
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
 * A `Response` whose bytes are there. Most clients read text or JSON once, and reading that through a stream costs more than the rest of
 * the guard for a short response. The stream is available on demand, and is locked after the bytes were read, as with the runtime's own
 * `Response`.
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

  /** Exists in newer runtimes only. */
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

  /** An ordinary `Response` with the same bytes; its stream is locked if they were read. */
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

/** Other runtimes forward a `Response` natively and read its internals. Node does not. */
const usesMethodsOnly = isNode(globalThis as Readonly<Record<string, unknown>>)

function isNode(here: Readonly<Record<string, unknown>>): boolean {
  const { versions } = (here['process'] ?? {}) as { versions?: { node?: string } }
  return versions?.node !== undefined && here['Deno'] === undefined && here['Bun'] === undefined
}

/** A response that replaces another. */
export function replaceResponse(
  of: Response,
  body: Uint8Array | BodyContent | null,
  init: ResponseInit,
  late = usesMethodsOnly,
): Response {
  if (!(body instanceof Uint8Array)) return new ReplacedResponse(body, init, of) as unknown as Response
  return (late ? new LazyBufferedResponse(body, init, of) : new BufferedResponse(body, init, of)) as unknown as Response
}
