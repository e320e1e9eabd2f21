/**
 * One request and its response: repair, send, inspect, recover, send again. Works on bytes, headers and a `send`: no
 * web objects, no sockets. If a step of Suture fails, the request is sent unchanged, unless `failClosed` is set.
 */
import { type Finding, type JsonObject, jsonText, lint, type Repaired, type Target } from '../core/index.ts'
import { wantsSeveralReplies } from '../dialects/request-fields.ts'
import { roundRejected, roundsChanged, roundsWithErrors } from './affected-rounds.ts'
import { changesOf } from './changes-in-words.ts'
import type { Passed, Waiting } from './events.ts'
import type { Settings } from './options.ts'
import { fingerprint, type Recovered, type RequestToSend, readHistory, reapply, recover } from './recoveries/index.ts'
import { classify, type RejectedResponse, type Rejection } from './rejections/index.ts'
import { countByRule, findingsHeader, repairBody, repairTargetFor, sutureHeaders } from './repair-body.ts'
import { errorName, RequestEvents } from './request-events.ts'
import { SentBody } from './sent-body.ts'
import { type InspectedResponse, inspectResponse, sendWithIdleTimeout } from './streams/index.ts'
import type { GuardRequest, GuardResponse, Send, UpstreamResponse } from './transport.ts'
import { unknownVersions } from './versions.ts'

export function exchange<U extends UpstreamResponse>(
  request: GuardRequest,
  settings: Settings,
  send: Send<U>,
): Promise<GuardResponse<U>> {
  return new Exchange(request, settings, send).run()
}

class Exchange<U extends UpstreamResponse> {
  private readonly request: GuardRequest
  private readonly settings: Settings
  private readonly events: RequestEvents
  private readonly send: Send<U>
  private readonly target: Target
  /** There is a history in the body, so a rejection may be recoverable. */
  private readable = false
  private readonly body: SentBody
  private findings = ''
  private readonly tried: string[] = []
  private readonly sent: string[] = []
  private readonly recoveries: Recovered[] = []

  constructor(request: GuardRequest, settings: Settings, send: Send<U>) {
    this.request = request
    this.settings = settings
    this.events = new RequestEvents(request, settings)
    this.send = send
    this.target = repairTargetFor(request.endpoint, settings)
    this.body = new SentBody(request)
  }

  async run(): Promise<GuardResponse<U>> {
    const { request, settings } = this
    try {
      this.repairFirst()
      for (let count = 1; ; count++) {
        const upstream = await sendWithIdleTimeout(
          this.send,
          this.body.outgoing,
          request.signal,
          settings.idleTimeoutMs,
        )
        const inspected = inspectResponse(upstream, request, this.events)
        const answer = inspected instanceof Promise ? await inspected : inspected
        request.signal?.throwIfAborted()
        const next =
          answer.rejected && count < settings.maxAttempts ? await this.next(answer.rejected, answer.kind) : undefined
        if (!next && answer.rejected && this.tried.length > 0) settings.budget.gaveUp(this.sent[0]!)
        if (!next && answer.broken !== undefined) throw this.events.noResponse(answer.broken)
        if (!next) return this.given(upstream, answer)
        upstream.body.cancel()
        await settings.wait(next.wait ?? 0, request.signal)
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
      this.readable = false
      this.body.reset()
    }
    this.body.releaseText()
  }

  private passed(why: Passed['why']): void {
    this.events.emit({ type: 'passed', why })
  }

  /** The pre-check found the body valid. Everything else needs the body parsed in full. */
  private isValid(): boolean {
    const { request, settings } = this
    if (!request.precheck || request.parsed || settings.signatures || !settings.memory.empty) return false
    const body = request.precheck()
    const result = body && repairBody(body, this.targetFor(body))
    if (!body || !result || (result.findings.length > 0 && !isExceeded(result))) return false
    this.events.begin(body)
    this.admit(body, result)
    return true
  }

  /** Nothing asked for this repair: what relies on anything unknown waits for a rejection. */
  private targetFor(body: JsonObject): Target {
    if (this.target.strict) return this.target
    return { ...this.target, uninvited: () => unknownVersions(this.request.headers.all(), body) }
  }

  /** Parses and repairs the body; applies decisions of earlier requests before it is first sent. */
  private prepare(): void {
    const body = this.body.parse()
    if (typeof body === 'string') {
      this.passed(body)
      return
    }
    this.events.begin(body)
    const restored = this.restored(body)
    const rememberNumbers = restored.body === body ? () => this.body.rememberNumbers(body) : undefined
    const result = repairBody(restored.body, this.targetFor(body), rememberNumbers)
    if (!result) this.passed('no-history')
    else if (this.admit(body, result)) this.take(body, result, restored.calls)
  }

  /** Whether the history may be changed. If it has too many findings, it is not, also after a rejection. */
  private admit(body: JsonObject, result: Repaired<JsonObject>): boolean {
    this.readable = !isExceeded(result)
    if (this.readable) this.events.several = wantsSeveralReplies(body)
    else {
      this.findings = TOO_MANY
      this.passed(TOO_MANY)
    }
    return this.readable
  }

  /** The body with reasoning that its client dropped, if the signature memory has it and the request may be changed. */
  private restored(body: JsonObject): { readonly body: JsonObject; readonly calls: number } {
    const { level, signed } = this.request
    const isNew = () => unknownVersions(this.request.headers.all(), body).length > 0
    const found = level === 'lint' || signed || isNew() ? { body, calls: 0 } : this.events.restored(body)
    // Numbers of changed messages keep their spelling.
    if (found.calls > 0) this.body.rememberNumbers(body)
    return found
  }

  private take(original: JsonObject, result: Repaired<JsonObject>, restored: number): void {
    const { level, signed, endpoint } = this.request
    const { value, patch: edits } = result
    const findings = countByRule(result.findings)
    const waiting = result.remaining.filter(({ notKnown }) => notKnown !== undefined)
    if (waiting.length > 0) this.events.emit({ type: 'waiting', ...waitingFor(waiting) })
    if (result.findings.length > 0) this.findings = findingsHeader(findings)
    const messages = (value[endpoint.service.dialect.key] as { length: number }).length
    if (level === 'lint' || signed) {
      if (this.findings !== '')
        this.events.emit({ type: 'found', findings, rounds: roundsWithErrors(result.findings), messages })
      if (signed && edits.length > 0) this.passed('signed')
      return
    }
    const redoes = level === 'recover' && !this.settings.memory.empty
    const changes = edits.length > 0 || restored > 0
    if (redoes || changes) this.body.keep(original)
    if (changes) {
      const { bytes, way } = this.body.change(value)
      if (restored > 0) this.events.emit({ type: 'restored', calls: restored, bytes })
      if (edits.length > 0) {
        const about = { findings, remaining: countByRule(result.remaining), messages, bytes, way }
        const changed = changesOf(edits, endpoint.service.dialect)
        const rounds = roundsChanged({ body: original, service: endpoint.service }, value, readHistory)
        this.events.emit({ type: 'repaired', ...about, edits: edits.length, changes: changed, rounds })
      }
    }
    if (redoes) this.events.attempt('reapply', () => this.again())
  }

  private again(): void {
    const before = this.lastSent
    const done = reapply(before)
    if (!done) return
    const { bytes } = this.body.change(done.body, done.headers)
    const rounds = roundsChanged(before, done.body)
    this.events.emit({ type: 'shrunk', recovery: done.id, report: done.report, rounds, bytes })
  }

  /** The request as it was sent last, or as it is about to be sent. */
  private get lastSent(): RequestToSend {
    const { request, settings, target, body, events } = this
    const { service, provider } = request.endpoint
    const headers = body.outgoing.headers ?? request.headers.all()
    const options = { ...settings.recovery, ...(target.policy ? { policy: target.policy } : {}) }
    return { body: body.current, headers, service, provider, model: events.model, memory: settings.memory, options }
  }

  /** What is sent next after a rejection; undefined: the provider's error goes to the caller. */
  private async next(rejected: RejectedResponse, kind: Rejection['kind'] | undefined): Promise<Recovered | undefined> {
    if (!this.readable || this.request.level !== 'recover') return undefined
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
    const { request, settings, target, tried, sent, lastSent } = this
    const { body, provider } = lastSent
    const rejection: Rejection = kind
      ? { kind, confidence: 'certain', ids: [], text: '' }
      : classify(
          rejected,
          () => lint(body, target),
          Date.now,
          (id) => (jsonText(body) ?? '').includes(id),
        )
    this.events.emitRejection(rejected.status, rejection, roundRejected({ ...lastSent, rejection }))
    sent.push(fingerprint(body, lastSent.headers))
    const found = await recover({ ...lastSent, rejection, tried, sent })
    if (!found) return undefined
    const changed = found.body !== body || found.headers !== undefined
    if (changed ? request.signed : !settings.budget.takes(provider, sent[0]!, request.headers)) return undefined
    tried.push(found.id)
    this.recoveries.push(found)
    const bytes = changed ? this.body.change(found.body, found.headers).bytes : this.body.unchangedBytes()
    const wait = found.wait === undefined ? {} : { wait: found.wait }
    const rounds = changed ? roundsChanged(lastSent, found.body) : []
    const what = { recovery: found.id, report: found.report, rounds, bytes }
    this.events.emit({ type: 'recovered', ...what, ...wait })
    if (found.id === 'shrink') this.events.emit({ type: 'shrunk', ...what })
    return found
  }

  private given(
    upstream: U,
    { body, bytes: whole, reply, usage, reads, rejected, passed, cut }: InspectedResponse,
  ): GuardResponse<U> {
    if (!rejected && upstream.status < 400) this.settings.budget.answered(this.request.endpoint.provider)
    // A recovery that the provider accepted is applied to later requests of this conversation before they are sent.
    if (!rejected) for (const { accepted } of this.recoveries) this.events.attempt('remember', () => accepted?.())
    this.body.release()
    if (passed) this.passed(passed)
    if (usage) this.request.listener?.onUsage?.(usage)
    if (reply) this.events.onReplyEnd(reply, true, false)
    else if (reads) this.events.telemetry?.endIfAbandoned(reads)
    else if (!body || passed || cut) this.events.end(upstream.status, cut)
    return {
      upstream,
      addedHeaders: sutureHeaders(this.findings, this.tried),
      body,
      bytes: whole,
      unread: passed !== undefined,
    }
  }
}

function waitingFor(findings: readonly Finding[]): Pick<Waiting, 'findings' | 'notKnown'> {
  const counts: Record<string, number> = {}
  for (const { rule } of findings) counts[rule] = (counts[rule] ?? 0) + 1
  return { findings: counts, notKnown: [...new Set(findings.map(({ notKnown = '' }) => notKnown))].slice(0, 10) }
}

const TOO_MANY = 'too-many-findings'

function isExceeded({ findings }: Repaired<JsonObject>): boolean {
  return findings[0]?.rule === TOO_MANY
}
