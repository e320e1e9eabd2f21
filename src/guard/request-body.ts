/** The body of a `fetch` call as text or bytes. Web APIs only. */
import type { BodyData } from './body-text.ts'

/** What `fetch` takes as its first argument. */
export type FetchInput = Parameters<typeof fetch>[0]

/** `used`: it can be read only once, so what was read has to be sent. `type`: the content type that fetch would set. */
export interface ReadBody {
  readonly body: BodyData
  readonly used: boolean
  readonly type?: string
}

/** Reads bodies that `readBodySync` does not read. Undefined for forms, and for types that only some runtimes know. */
export async function readBody(input: FetchInput, init: RequestInit | undefined): Promise<ReadBody | undefined> {
  const given: unknown = init?.body
  if (given !== undefined && given !== null) return bodyOf(given)
  if (!isRequest(input) || !input.body) return undefined
  return { body: new Uint8Array(await input.arrayBuffer()), used: true }
}

/** The body, if it is text or bytes and can be read synchronously. */
export function readBodySync(init: RequestInit | undefined): ReadBody | undefined {
  const given: unknown = init?.body
  if (typeof given === 'string') return { body: given, used: false, type: 'text/plain;charset=UTF-8' }
  if (ArrayBuffer.isView(given))
    return { body: new Uint8Array(given.buffer as ArrayBuffer, given.byteOffset, given.byteLength), used: false }
  return given instanceof ArrayBuffer ? { body: new Uint8Array(given), used: false } : undefined
}

async function bodyOf(given: unknown): Promise<ReadBody | undefined> {
  if (typeof Blob === 'function' && given instanceof Blob)
    return { body: new Uint8Array(await given.arrayBuffer()), used: false, ...(given.type ? { type: given.type } : {}) }
  if (typeof ReadableStream === 'function' && given instanceof ReadableStream)
    return { body: new Uint8Array(await new Response(given as ReadableStream).arrayBuffer()), used: true }
  return undefined
}

/** The JSON inside a compressed body; undefined if this runtime cannot decompress it. */
export async function decompressed(body: BodyData, encoding: string | null): Promise<BodyData | undefined> {
  const way = encoding?.trim().toLowerCase() ?? ''
  if (way === '' || way === 'identity') return body
  if ((way !== 'gzip' && way !== 'deflate') || typeof body === 'string') return undefined
  if (typeof DecompressionStream !== 'function') return undefined
  try {
    const inner = new Blob([body as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream(way))
    return new Uint8Array(await new Response(inner as ReadableStream).arrayBuffer())
  } catch {
    return undefined
  }
}

export function isRequest(input: FetchInput): input is Request {
  return typeof input === 'object' && !(input instanceof URL) && 'url' in input
}
