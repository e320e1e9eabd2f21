/**
 * The body of one request while it is repaired and sent again: the original, the current one, and the bytes to send. A
 * change is always spliced into the original bytes, so a second change costs no more of them than the first.
 */
import { type JsonObject, jsonText, rememberNumbers } from '../core/index.ts'
import { splice } from '../json-bytes/index.ts'
import { type BodyData, textOf } from './body-text.ts'
import { parsedSize, valuesIn } from './body-values.ts'
import type { ByteCounts, Repaired } from './events.ts'
import { parseText } from './repair-body.ts'
import type { GuardRequest, OutgoingRequest } from './transport.ts'

const encoder = new TextEncoder()

export class SentBody {
  private readonly request: GuardRequest
  /** The parsed original. A valid one is not kept while its response is pending: the few rejected are parsed again. */
  private was: JsonObject | undefined
  private now: JsonObject | undefined
  private parsedBytes = 0
  /** The original as text. Decoding a megabyte costs as much as parsing it, so it is decoded once. */
  private text: string | undefined
  /** The value whose numbers were remembered, and whether there are any. */
  private numbers: { readonly of: object; readonly any: boolean } | undefined
  /** What is sent next. */
  outgoing: OutgoingRequest

  constructor(request: GuardRequest) {
    this.request = request
    this.outgoing = unchanged(request)
  }

  /** The parsed body as it was sent last. */
  get current(): JsonObject {
    if (!this.now) {
      this.reserve(this.parsedBytes)
      this.was = this.now = this.parse() as JsonObject
    }
    return this.now
  }

  /** Why the body is not parsed: it would take more time or memory than a request may. Undefined: it is. */
  admit(): 'too-many-values' | 'too-large' | undefined {
    const { parsed, body } = this.request
    if (parsed) return undefined
    const values = valuesIn(body)
    if (values === undefined) return 'too-many-values'
    this.parsedBytes = parsedSize(body, values)
    return this.reserve(this.parsedBytes) ? undefined : 'too-large'
  }

  /** The original, or why it is not an object. */
  parse(): ReturnType<typeof parseText> {
    return this.request.parsed ?? parseText(this.decoded())
  }

  /** Keeps the spelling of numbers of the parsed original. Returns whether there may be any to keep. */
  rememberNumbers(value: object): boolean {
    if (this.numbers?.of !== value) this.numbers = { of: value, any: rememberNumbers(this.decoded(), value) }
    return this.numbers.any
  }

  private decoded(): string {
    this.text ??= this.request.decode?.() ?? textOf(this.request.body)
    return this.text
  }

  /** The memory of the parsed body counts as long as it is kept. */
  private reserve(bytes: number): boolean {
    return this.request.parsed !== undefined || (this.request.reserve?.(bytes) ?? true)
  }

  /** The body was checked: what is not kept for a change is released. */
  releaseText(): void {
    this.text = this.numbers = undefined
    if (!this.now) this.reserve(0)
  }

  /** Keeps the original: it is about to be changed. */
  keep(original: JsonObject): void {
    this.was = this.now = original
  }

  change(now: JsonObject, headers = this.outgoing.headers): Pick<Repaired, 'bytes' | 'way'> {
    const { body } = this.request
    const changed = now !== this.was
    const out = changed ? this.spliced(now) : { body, bytes: sameBytes(body), way: 'spliced' as const }
    this.now = now
    this.outgoing = { body: out.body, changed, headers, signal: undefined }
    return out
  }

  /** The counts if the same bytes are sent again. */
  unchangedBytes(): ByteCounts {
    return sameBytes(this.outgoing.body)
  }

  private spliced(now: JsonObject) {
    const { body, endpoint } = this.request
    const was = this.was!
    const source = typeof body === 'string' ? encoder.encode(body) : body
    // Values that moved are serialized again: their numbers keep their spelling.
    this.rememberNumbers(was)
    const options = { arrayKey: endpoint.service.dialect.key, stringify: jsonText }
    const { bytes, prefix, rewritten } = splice(source, was, now, options)
    const given = source.length
    const counts = { given, sent: bytes.length, prefix, lost: given - prefix }
    return { body: bytes, bytes: counts, way: rewritten ? ('rewritten' as const) : ('spliced' as const) }
  }

  /** Nothing is sent again: drops the body, since a stream may take minutes. */
  release(): void {
    this.was = this.now = undefined
    this.releaseText()
  }

  /** Returns to the original bytes. */
  reset(): void {
    this.release()
    this.outgoing = unchanged(this.request)
  }
}

function unchanged({ body }: GuardRequest): OutgoingRequest {
  return { body, changed: false, headers: undefined, signal: undefined }
}

/** The byte counts of an unchanged body. */
function sameBytes(body: BodyData): ByteCounts {
  const length = typeof body === 'string' ? encoder.encode(body).length : body.length
  return { given: length, sent: length, prefix: length, lost: 0 }
}
