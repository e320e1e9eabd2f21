/**
 * Events of one request: emits them to the listeners, to telemetry and to `onReply`. Does not repair or send anything.
 */
import type { JsonObject, Reply } from '../core/index.ts'
import type { EventBody, EventContext } from './events.ts'
import { ignoreOutcome, notify, type Settings } from './options.ts'
import type { Rejection } from './rejections/index.ts'
import { RequestReasoning } from './signature-memory/index.ts'
import { IdleTimeoutError, noResponse, type ReplyListener, type StreamOptions } from './streams/index.ts'
import { type RequestTelemetry, telemetryFor } from './telemetry.ts'
import type { GuardRequest } from './transport.ts'

export class RequestEvents implements ReplyListener {
  private readonly request: GuardRequest
  private readonly settings: Settings
  readonly telemetry: RequestTelemetry | undefined
  model: string | undefined
  /** Several replies were requested. */
  several = false
  private readonly number: number
  private reasoning: RequestReasoning | undefined

  constructor(request: GuardRequest, settings: Settings) {
    this.request = request
    this.settings = settings
    this.telemetry = telemetryFor(settings.telemetry)
    this.model = request.endpoint.model ?? settings.model
    this.number = ++settings.state.requests
  }

  /** Every reply has to be assembled: for `onReply` or telemetry. */
  get wantsReplies(): boolean {
    return this.telemetry !== undefined || this.settings.onReply !== undefined || this.remembers
  }

  get remembers(): boolean {
    return this.reasoning !== undefined
  }

  get maxResponseBytes(): number | undefined {
    return this.settings.maxResponseBytes
  }

  get streaming(): StreamOptions {
    return { endOnly: !this.wantsReplies && !this.several, maxFrameBytes: this.settings.maxFrameBytes }
  }

  /** The body with what the signature memory has for it; the same body without one. */
  restored(body: JsonObject): { readonly body: JsonObject; readonly calls: number } {
    let found = { body, calls: 0 }
    const { signatures } = this.settings
    if (!signatures) return found
    this.attempt('restore', () => {
      const reasoning = new RequestReasoning(signatures, this.request, this.model, body)
      found = reasoning.restore(body)
      this.reasoning = reasoning
    })
    return found
  }

  private get context(): EventContext {
    const { number, model } = this
    const { provider, service } = this.request.endpoint
    return { request: number, provider, dialect: service.dialect.id, ...(model === undefined ? {} : { model }) }
  }

  /** The body was read: its model is known. */
  begin(body: JsonObject): void {
    if (this.model === undefined && typeof body['model'] === 'string') this.model = body['model']
    this.telemetry?.begin(this.context)
  }

  emit(what: EventBody): void {
    this.telemetry?.onEvent(what)
    const { settings, request } = this
    if (settings.onEvent || request.listener) notify(settings, { ...this.context, ...what }, request.listener)
  }

  emitRejection(status: number, { kind, rule }: Rejection, round: string | undefined): void {
    const place = { ...(rule === undefined ? {} : { rule }), ...(round === undefined ? {} : { round }) }
    this.emit({ type: 'rejected', status, kind, ...place, inside: status < 400 })
  }

  onReplyEnd(reply: Reply, output: boolean, canceled: boolean): void {
    this.attempt('remember', () => this.reasoning?.keep(reply))
    // If the caller canceled the response, it was not cut off.
    if (!reply.complete && !canceled) this.emit({ type: 'incomplete', why: reply.why ?? 'cut', output })
    this.telemetry?.reply(reply, canceled)
    if (reply.usage) this.request.listener?.onUsage?.(reply.usage)
    if (!this.settings.onReply) return
    try {
      const failed = (error: unknown) => this.emit({ type: 'failed', step: 'onReply', error: errorName(error) })
      ignoreOutcome(this.settings.onReply(reply, this.context), failed)
    } catch (error) {
      if (this.settings.failClosed) throw error
    }
  }

  /** Nothing of the response has reached the caller. The request fails without a response: the client may retry. */
  noResponse(broken: unknown): unknown {
    this.emit({ type: 'incomplete', why: 'cut', output: false })
    return broken instanceof IdleTimeoutError ? broken : noResponse('the response ended before any output', broken)
  }

  /** Nothing more of the response is read. */
  end(status: number, cut: boolean | undefined): void {
    this.telemetry?.end(status >= 400 ? String(status) : cut ? 'cut' : undefined)
  }

  /** Runs a step of Suture; if it fails, the request continues without it. */
  attempt(step: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      this.failed(step, error)
    }
  }

  failed(step: string, error: unknown): void {
    this.emit({ type: 'failed', step, error: errorName(error) })
    if (this.settings.failClosed) throw error
  }
}

export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
