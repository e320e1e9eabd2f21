/**
 * The body of one request while it is repaired and sent again: the original, the current one, and the bytes to send. A change is always
 * spliced into the original bytes, so a second change costs no more of them than the first.
 */
import type { JsonObject } from '../core/index.ts'
import { BodyText, textOf } from './body-text.ts'
import { parsedSize, valuesIn } from './body-values.ts'
import type { ByteCounts } from './events.ts'
import { parseText, unchangedBytes, type WrittenBody, writeBody } from './repair-body.ts'
import type { GuardRequest, OutgoingRequest } from './transport.ts'

export class SentBody {
  private readonly request: GuardRequest
  /** The parsed original. A valid one is not kept while its response is pending: few are rejected, and those are parsed again. */
  private was: JsonObject | undefined
  private now: JsonObject | undefined
  private parsedBytes = 0
  /** The body as it came, as text. */
  readonly text: BodyText
  /** What is sent next. */
  outgoing: OutgoingRequest

  constructor(request: GuardRequest) {
    this.request = request
    this.text = new BodyText(() => request.decode?.() ?? textOf(request.body))
    this.outgoing = unchanged(request)
  }

  /** The parsed body as it was sent last. */
  get current(): JsonObject {
    if (!this.now) {
      this.reserve(this.parsedBytes)
      this.was = this.now = (this.request.parsed ?? parseText(this.text.get())) as JsonObject
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

  /** The memory of the parsed body counts as long as it is kept. */
  private reserve(bytes: number): boolean {
    return this.request.parsed !== undefined || (this.request.reserve?.(bytes) ?? true)
  }

  /** The body was checked: what is not kept for a change is released. */
  releaseText(): void {
    this.text.release()
    if (!this.now) this.reserve(0)
  }

  /** Keeps the original: it is about to be changed. */
  keep(came: JsonObject): void {
    this.was = this.now = came
  }

  change(now: JsonObject, headers = this.outgoing.headers): WrittenBody {
    const { body, endpoint } = this.request
    const out =
      now === this.was
        ? { body, bytes: unchangedBytes(body), way: 'spliced' as const }
        : writeBody(body, this.text, this.was!, now, endpoint.service.dialect.key)
    this.now = now
    this.outgoing = { body: out.body, changed: now !== this.was, headers, signal: undefined }
    return out
  }

  /** The counts if the same bytes are sent again. */
  unchangedBytes(): ByteCounts {
    return unchangedBytes(this.outgoing.body)
  }

  /** Nothing is sent again: drops the body, since a stream may take minutes. */
  release(): void {
    this.was = this.now = undefined
    this.text.release()
    this.reserve(0)
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
