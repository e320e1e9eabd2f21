/**
 * One request and its response: repair, send, inspect, recover, send again. Works on bytes, headers and a `send`: no web objects, no
 * sockets. If a step of Suture fails, the request is sent unchanged, unless `failClosed` is set.
 */
import { type JsonObject, lint, type Target } from '../core/index.ts'
import { wantsSeveralReplies } from '../dialects/request-fields.ts'
import { roundRejected, roundsChanged, roundsOf } from './affected-rounds.ts'
import type { Passed, Repaired } from './events.ts'
import type { Settings } from './options.ts'
import { fingerprint, type Recovered, type RecoverySettings, reapply, recover } from './recoveries/index.ts'
import { classify, type RejectedResponse, type Rejection } from './rejections/index.ts'
import {
  countByRule,
  findingsHeader,
  parseText,
  type RepairedBody,
  repairBody,
  repairTargetFor,
  sutureHeaders,
} from './repair-body.ts'
import { errorName, RequestEvents } from './request-events.ts'
import { SentBody } from './sent-body.ts'
import { type InspectedResponse, inspectResponse, sendWithIdleTimeout } from './streams/index.ts'
import type { GuardRequest, GuardResponse, Send, UpstreamResponse } from './transport.ts'

export function exchange<U extends UpstreamResponse>(
  asked: GuardRequest,
  settings: Settings,
  send: Send<U>,
): Promise<GuardResponse<U>> {
  return new Exchange(asked, settings, send).run()
}

class Exchange<U extends UpstreamResponse> {
  private readonly asked: GuardRequest
  private readonly settings: Settings
  private readonly events: RequestEvents
  private readonly send: Send<U>
  private readonly target: Target
  /** There is a history in the body, so a rejection may be recoverable. */
  private readable = false
  private readonly body: SentBody
  private findings = ''
  // Created on demand: most requests are valid and answered at once.
  private tried: string[] | undefined
  private sent: string[] | undefined
  private recoveries: Recovered[] | undefined

  constructor(asked: GuardRequest, settings: Settings, send: Send<U>) {
    this.asked = asked
    this.settings = settings
    this.events = new RequestEvents(asked, settings)
    this.send = send
    this.target = repairTargetFor(asked.endpoint, settings)
    this.body = new SentBody(asked)
  }

  async run(): Promise<GuardResponse<U>> {
    const { asked, settings } = this
    try {
      this.repairFirst()
      for (let count = 1; ; count++) {
        const upstream = await sendWithIdleTimeout(this.send, this.body.outgoing, asked.signal, settings.idleTimeoutMs)
        const looked = inspectResponse(upstream, asked, this.events)
        const answer = looked instanceof Promise ? await looked : looked
        asked.signal?.throwIfAborted()
        const next =
          answer.rejected && count < settings.maxAttempts ? await this.next(answer.rejected, answer.kind) : undefined
        if (!next && answer.rejected && this.tried?.length) settings.budget.gaveUp(this.sent![0]!)
        if (!next && answer.broken !== undefined) throw this.events.noResponse(answer.broken)
        if (!next) return this.given(upstream, answer)
        upstream.body.cancel()
        await settings.wait(next.wait ?? 0, asked.signal)
      }
    } catch (error) {
      this.events.telemetry?.end(errorName(error))
      throw error
    }
  }

  private repairFirst(): void {
    const why = this.body.admit()
    if (why) {
      this.passed(why)
      return
    }
    try {
      if (!this.isValid()) this.prepare()
    } catch (error) {
      this.events.failed('repair', error)
      this.asIs()
    }
    this.body.releaseText()
  }

  private passed(why: Passed['why']): void {
    this.events.emit({ type: 'passed', why })
  }

  /** The pre-check found the body valid. Everything else needs the body parsed in full. */
  private isValid(): boolean {
    const { asked, settings } = this
    if (!asked.precheck || asked.parsed || settings.signatures || !settings.memory.empty) return false
    const body = asked.precheck()
    const result = body && repairBody(body, this.target)
    if (!body || !result) return false
    if (isExceeded(result)) {
      this.exceeded(body)
      return true
    }
    if (result.findings.length > 0) return false
    this.events.begin(body)
    this.readable = true
    this.events.several = wantsSeveralReplies(body)
    return true
  }

  /** Parses and repairs the body; applies decisions of earlier requests before it is first sent. */
  private prepare(): void {
    const { text } = this.body
    const body = this.asked.parsed ?? parseText(text.get())
    if (typeof body === 'string') {
      this.passed(body)
      return
    }
    this.events.begin(body)
    const restored = this.restored(body)
    const result = repairBody(restored.body, this.target, restored.body === body ? text : undefined)
    if (!result) this.passed('no-history')
    else if (isExceeded(result)) this.exceeded(body)
    else {
      this.readable = true
      this.events.several = wantsSeveralReplies(body)
      this.take(body, result, restored.calls)
    }
  }

  /** Nothing of the history is changed, now or after a rejection. */
  private exceeded(body: JsonObject): void {
    this.findings = TOO_MANY
    this.events.begin(body)
    this.passed(TOO_MANY)
  }

  /** The body with reasoning that its client dropped, if the signature memory has it and the request may be changed. */
  private restored(body: JsonObject): { readonly body: JsonObject; readonly calls: number } {
    const { level, signed } = this.asked
    const found = level === 'lint' || signed ? { body, calls: 0 } : this.events.restored(body)
    // Numbers of changed messages keep their spelling.
    if (found.calls > 0) this.body.text.rememberNumbers(body)
    return found
  }

  private take(came: JsonObject, result: RepairedBody, restored: number): void {
    const { level, signed, endpoint } = this.asked
    const findings = countByRule(result.findings)
    if (result.findings.length > 0) this.findings = findingsHeader(findings)
    const messages = (result.body[endpoint.service.dialect.key] as { length: number }).length
    if (level === 'lint' || signed) {
      if (this.findings !== '')
        this.events.emit({ type: 'found', findings, rounds: roundsOf(result.findings), messages })
      if (signed && result.edits.length > 0) this.passed('signed')
      return
    }
    const redoes = level === 'recover' && !this.settings.memory.empty
    const changes = result.edits.length > 0 || restored > 0
    if (redoes || changes) this.body.keep(came)
    if (changes) {
      const { bytes, way } = this.body.change(result.body)
      if (restored > 0) this.events.emit({ type: 'restored', calls: restored, bytes })
      if (result.edits.length > 0) this.emitRepaired(came, result, { findings, messages, bytes, way })
    }
    if (redoes) this.events.attempt('reapply', () => this.again())
  }

  private emitRepaired(
    came: JsonObject,
    { body, edits, remaining }: RepairedBody,
    about: Pick<Repaired, 'findings' | 'messages' | 'bytes' | 'way'>,
  ): void {
    const rounds = roundsChanged(came, body, this.asked.endpoint.service.dialect)
    this.events.emit({ type: 'repaired', ...about, edits: edits.length, remaining: countByRule(remaining), rounds })
  }

  private again(): void {
    const { asked, options } = this
    const { service, provider } = asked.endpoint
    const { model } = this.events
    const { memory } = this.settings
    const body = this.body.current
    const done = reapply({ body, headers: asked.headers.all(), service, provider, model, memory, options })
    if (!done) return
    const { bytes } = this.body.change(done.body, done.headers)
    const rounds = roundsChanged(body, done.body, service.dialect)
    this.events.emit({ type: 'shrunk', recovery: done.id, report: done.report, rounds, bytes })
  }

  /** A recovery that the provider accepted is applied to later requests of this conversation before they are sent. */
  private readonly accepted = (): void => {
    for (const { accepted } of this.recoveries ?? []) accepted?.()
  }

  /** What is sent next after a rejection; undefined: the provider's error goes to the caller. */
  private async next(rejected: RejectedResponse, kind: Rejection['kind'] | undefined): Promise<Recovered | undefined> {
    if (!this.readable || this.asked.level !== 'recover') return undefined
    try {
      return await this.recovered(rejected, kind)
    } catch (error) {
      this.events.failed('recover', error)
      return undefined
    }
  }

  private async recovered(
    rejected: RejectedResponse,
    kind: Rejection['kind'] | undefined,
  ): Promise<Recovered | undefined> {
    const { asked, settings, target } = this
    const { model } = this.events
    const body = this.body.current
    const headers = this.body.outgoing.headers ?? asked.headers.all()
    const rejection: Rejection = kind ? { kind, ids: [], text: '' } : classify(rejected, () => lint(body, target))
    const { service, provider } = asked.endpoint
    const round = roundRejected({ body, service, rejection, options: this.options })
    this.events.emitRejection(rejected.status, rejection, round)
    this.tried ??= []
    this.sent = [...(this.sent ?? []), fingerprint(body, headers)]
    const { memory } = settings
    const { tried, sent, options } = this
    const attempt = { body, headers, service, provider, model, rejection, tried, sent, memory, options }
    const found = await recover(attempt)
    if (!found) return undefined
    const changed = found.body !== body || found.headers !== undefined
    if (changed ? asked.signed : !settings.budget.takes(provider, sent[0]!, asked.headers)) return undefined
    tried.push(found.id)
    this.recoveries = [...(this.recoveries ?? []), found]
    const bytes = changed ? this.body.change(found.body, found.headers).bytes : this.body.unchangedBytes()
    const wait = found.wait === undefined ? {} : { wait: found.wait }
    const rounds = changed ? roundsChanged(body, found.body, service.dialect) : []
    const what = { recovery: found.id, report: found.report, rounds, bytes }
    this.events.emit({ type: 'recovered', ...what, ...wait })
    if (found.id === 'shrink') this.events.emit({ type: 'shrunk', ...what })
    return found
  }

  private get options(): RecoverySettings {
    const { policy } = this.target
    return { ...this.settings.recovery, ...(policy ? { policy } : {}) }
  }

  private given(
    upstream: U,
    { body, bytes: whole, reply, usage, reads, rejected, unread, isLate, cut }: InspectedResponse,
  ): GuardResponse<U> {
    if (!rejected && upstream.status < 400) this.settings.budget.answered(this.asked.endpoint.provider)
    if (this.recoveries && !rejected) this.events.attempt('remember', this.accepted)
    this.body.release()
    if (unread) this.passed(isLate ? 'too-late' : 'too-large')
    if (usage) this.asked.listener?.onUsage?.(usage)
    if (reply) this.events.onReplyEnd(reply, true, false)
    else if (reads) this.events.telemetry?.endIfAbandoned(reads)
    else if (!body || unread || cut) this.events.end(upstream.status, cut)
    return { upstream, addedHeaders: sutureHeaders(this.findings, this.tried), body, bytes: whole, unread }
  }

  private asIs(): void {
    this.readable = false
    this.body.reset()
  }
}

const TOO_MANY = 'too-many-findings'

function isExceeded({ findings }: RepairedBody): boolean {
  return findings[0]?.rule === TOO_MANY
}
