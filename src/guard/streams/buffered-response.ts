/** Responses that replace another: with its address, and read without a stream if all bytes are there. */

/** The types of bodies that `fetch` and `Response` accept. */
export type BodyContent = NonNullable<RequestInit['body']>

/** A response with the address of another. `isLate`: of bytes, the stream is created on demand. */
export function replaceResponse(
  of: Response,
  body: Uint8Array | BodyContent | null,
  init: ResponseInit,
  isLate = usesMethodsOnly,
): Response {
  if (isLate && body instanceof Uint8Array) return new BufferedResponse(body, init, of)
  const made = new Response(body as BodyContent | null, init)
  return Object.defineProperties(made, { url: { get: () => of.url }, redirected: { get: () => of.redirected } })
}

/** Other runtimes forward a `Response` natively and read its internals. Node does not. */
const usesMethodsOnly = isNode(globalThis as Readonly<Record<string, unknown>>)

function isNode(here: Readonly<Record<string, unknown>>): boolean {
  const { versions } = (here['process'] ?? {}) as { versions?: { node?: string } }
  return versions?.node !== undefined && here['Deno'] === undefined && here['Bun'] === undefined
}

type Inherited = Pick<Response, 'headers' | 'ok' | 'status' | 'statusText' | 'type'>
/** Without the members that are overridden: some are fields in the types of TypeScript, which cannot be overridden. */
const Base = Response as unknown as new (body: null, init: ResponseInit) => Inherited
const decoder = new TextDecoder()

/**
 * A `Response` whose bytes are there. Most clients read text or JSON once, and reading that through a stream costs more
 * than the rest of the guard for a short response. The stream is created on demand, and is locked after the bytes were
 * read, as with the runtime's own `Response`.
 */
class BufferedResponse extends Base {
  readonly #bytes: Uint8Array
  readonly #of: Response
  #usual: Response | undefined
  #used = false

  constructor(bytes: Uint8Array, init: ResponseInit, of: Response) {
    super(null, init)
    this.#bytes = bytes
    this.#of = of
  }

  get url(): string {
    return this.#of.url
  }

  get redirected(): boolean {
    return this.#of.redirected
  }

  get body(): Response['body'] {
    return this.#real().body
  }

  get bodyUsed(): boolean {
    return this.#used || (this.#usual?.bodyUsed ?? false)
  }

  async text(): Promise<string> {
    return this.#takes() ? decoder.decode(this.#bytes) : this.#real().text()
  }

  async json(): Promise<unknown> {
    return this.#takes() ? JSON.parse(decoder.decode(this.#bytes)) : this.#real().json()
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#takes() ? (this.#bytes.slice().buffer as ArrayBuffer) : this.#real().arrayBuffer()
  }

  /** Exists in newer runtimes only. */
  async bytes() {
    return new Uint8Array(await this.arrayBuffer())
  }

  blob(): Promise<Blob> {
    return this.#real().blob()
  }

  formData(): Promise<FormData> {
    return this.#real().formData()
  }

  clone(): Response {
    const { status, statusText, headers } = this
    return replaceResponse(this, this.#real().clone().body, { status, statusText, headers })
  }

  /** An ordinary `Response` with the same bytes; its stream is locked if they were read. */
  #real(): Response {
    if (!this.#usual) {
      this.#usual = new Response(this.#bytes as Uint8Array<ArrayBuffer>, { headers: this.headers })
      if (this.#used) this.#usual.body!.getReader()
    }
    return this.#usual
  }

  /** Marks the body as read; false if it was read before or is locked. */
  #takes(): boolean {
    const usual = this.#usual
    if (this.#used || usual?.bodyUsed || usual?.body?.locked) return false
    usual?.body?.getReader()
    this.#used = true
    return true
  }
}
