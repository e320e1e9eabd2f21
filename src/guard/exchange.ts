/**
 * One request and its answer: mend, send, look, recover, send again. Bytes, headers and a `send`: no web objects, no sockets.
 * A failure of Suture's own lets the request through as it came, unless the guard is strict.
 */
import { type JsonObject, lint, type Target } from '../core/index.ts'
import type { Reply } from '../core/reply.ts'
import { type Answer, look } from './answer.ts'
import type { Answered, Asked, Send, Sending, Upstream } from './core.ts'
import type { About, What } from './events.ts'
import { notify, type Settings } from './options.ts'
import { fingerprint, type Recovered, type RecoveryOptions, recover, redo } from './recoveries/index.ts'
import { classify, type Refusal, type Refused } from './refusals/index.ts'
import {
  countsOf,
  headerOf,
  type Mended,
  mended,
  parsed,
  targetOf,
  untouched,
  type Written,
  wantsSeveral,
  written,
} from './request.ts'
import { reached } from './silence.ts'
import type { StreamOptions } from './stream.ts'
import { type Watch, watch } from './telemetry.ts'

export function exchange<U extends Upstream>(asked: Asked, settings: Settings, send: Send<U>): Promise<Answered<U>> {
  return new Exchange(asked, settings, send).run()
}

class Exchange<U extends Upstream> {
  private readonly asked: Asked
  private readonly settings: Settings
  private readonly send: Send<U>
  private readonly target: Target
  private about: About
  private readonly watch: Watch | undefined
  /** The body as it came, parsed. */
  private was: JsonObject | undefined
  /** The body as it is sent. */
  private now: JsonObject | undefined
  private sending: Sending
  private findings = ''
  private readonly tried: string[] = []
  private readonly sent: string[] = []
  private readonly recoveries: Recovered[] = []

  constructor(asked: Asked, settings: Settings, send: Send<U>) {
    this.asked = asked
    this.settings = settings
    this.send = send
    this.target = targetOf(asked.endpoint, settings)
    this.sending = { body: asked.body, changed: false }
    this.watch = watch(settings.telemetry)
    const { provider, service, model } = asked.endpoint
    const named = model ?? settings.model
    this.about = {
      request: ++settings.seen.requests,
      provider,
      dialect: service.dialect.id,
      ...(named === undefined ? {} : { model: named }),
    }
  }

  async run(): Promise<Answered<U>> {
    try {
      this.own('repair', () => this.prepare(), this.asIs)
      return await this.ask()
    } catch (error) {
      this.watch?.end(nameOf(error))
      throw error
    }
  }

  private async ask(): Promise<Answered<U>> {
    const { asked, settings } = this
    for (let count = 1; ; count++) {
      const upstream = await reached(this.send, this.sending, asked.signal, settings.longestSilence)
      const answer = await look(upstream, asked, this.over, this.streaming)
      asked.signal?.throwIfAborted()
      const next = answer.refused && count < settings.most ? await this.next(answer.refused, answer.kind) : undefined
      if (!next) return this.given(upstream, answer)
      upstream.body.cancel()
      await settings.wait(next.wait ?? 0, asked.signal)
    }
  }

  /** Reads the body and mends it; decisions of earlier requests are done to it before it is first sent. */
  private prepare(): void {
    const body = this.asked.parsed ?? parsed(this.asked.body)
    if (typeof body === 'string') {
      this.tell({ type: 'passed', why: body })
      return
    }
    if (this.about.model === undefined && typeof body['model'] === 'string')
      this.about = { ...this.about, model: body['model'] }
    this.watch?.begin(this.about)
    const result = mended(body, this.target)
    if (result) {
      this.was = this.now = body
      this.take(result)
    } else this.tell({ type: 'passed', why: 'no-history' })
  }

  private take(result: Mended): void {
    const { mode, signed, endpoint } = this.asked
    const findings = countsOf(result.findings)
    this.findings = headerOf(findings)
    const messages = (result.body[endpoint.service.dialect.key] as { length: number }).length
    if (mode === 'lint' || signed) {
      if (this.findings !== '') this.tell({ type: 'found', findings, messages })
      if (signed && result.edits > 0) this.tell({ type: 'passed', why: 'signed' })
      return
    }
    if (result.edits > 0) {
      const { bytes, way } = this.change(result.body)
      const { edits, left } = result
      this.tell({ type: 'repaired', findings, left: countsOf(left), edits, messages, bytes, way })
    }
    if (mode === 'recover' && !this.settings.memory.empty) this.own('redo', () => this.again())
  }

  private again(): void {
    const { asked, options } = this
    const { service, provider } = asked.endpoint
    const { model } = this.about
    const { memory } = this.settings
    const done = redo({ body: this.now!, headers: asked.headers.all(), service, provider, model, memory, options })
    if (!done) return
    const { bytes } = this.change(done.body, done.headers)
    this.tell({ type: 'shrunk', recovery: done.id, report: done.report, bytes })
  }

  /** What the provider took after a refusal is done to the next request of this conversation at once. */
  private readonly accepted = (): void => {
    for (const { accepted } of this.recoveries) accepted?.()
  }

  /** What is sent next, after a refusal; undefined when the provider's own error goes back. */
  private async next(refused: Refused, kind: Refusal['kind'] | undefined): Promise<Recovered | undefined> {
    if (!this.now || this.asked.mode !== 'recover') return undefined
    try {
      return await this.recovered(refused, kind)
    } catch (error) {
      this.failed('recover', error)
      return undefined
    }
  }

  private async recovered(refused: Refused, kind: Refusal['kind'] | undefined): Promise<Recovered | undefined> {
    const { asked, settings, target } = this
    const body = this.now!
    const headers = this.sending.headers ?? asked.headers.all()
    const refusal: Refusal = kind ? { kind, ids: [], text: '' } : classify(refused, () => lint(body, target))
    const { status } = refused
    const rule = refusal.rule === undefined ? {} : { rule: refusal.rule }
    this.tell({ type: 'refused', status, kind: refusal.kind, ...rule, inside: status < 400 })
    this.sent.push(fingerprint(body, headers))
    const { service, provider } = asked.endpoint
    const { memory } = settings
    const { tried, sent, options } = this
    const attempt = { body, headers, service, provider, model: this.about.model, refusal, tried, sent, memory, options }
    const found = await recover(attempt)
    if (!found) return undefined
    const changed = found.body !== body || found.headers !== undefined
    if (changed && asked.signed) return undefined
    tried.push(found.id)
    this.recoveries.push(found)
    const bytes = changed ? this.change(found.body, found.headers).bytes : untouched(this.sending.body)
    const wait = found.wait === undefined ? {} : { wait: found.wait }
    this.tell({ type: 'recovered', recovery: found.id, report: found.report, bytes, ...wait })
    if (found.id === 'shrink') this.tell({ type: 'shrunk', recovery: found.id, report: found.report, bytes })
    return found
  }

  private get streaming(): StreamOptions {
    const { onReply, longestFrame: longest } = this.settings
    return { skims: !this.watch && !onReply && !wantsSeveral(this.now), longest }
  }

  private get options(): RecoveryOptions {
    const { policy } = this.target
    return { ...(policy ? { policy } : {}), ...this.settings.recovery }
  }

  /** Always spliced into what came, so that a second change costs the caller's bytes no more than the first. */
  private change(now: JsonObject, headers = this.sending.headers): Written {
    const out =
      now === this.was
        ? { body: this.asked.body, bytes: untouched(this.asked.body), way: 'spliced' as const }
        : written(this.asked.body, this.was!, now, this.asked.endpoint.service.dialect.key)
    this.now = now
    this.sending = { body: out.body, changed: now !== this.was, ...(headers ? { headers } : {}) }
    return out
  }

  private given(upstream: U, { body, whole, reply, reads, refused }: Answer): Answered<U> {
    if (!refused) this.own('remember', this.accepted)
    if (reply) this.over(reply, true, false)
    else if (reads) this.watch?.bound(reads)
    else if (!body) this.watch?.end(upstream.status >= 400 ? String(upstream.status) : undefined)
    const extra: Record<string, string> = {}
    if (this.findings !== '') extra['suture-findings'] = this.findings
    if (this.tried.length > 0) extra['suture-recovery'] = this.tried.join(', ')
    return { upstream, extra, ...(body ? { body } : {}), ...(whole ? { whole } : {}) }
  }

  private readonly tell = (what: What): void => {
    this.watch?.tell(what)
    notify(this.settings, { ...this.about, ...what })
  }

  private readonly over = (reply: Reply, output: boolean, left: boolean): void => {
    // Who wants no more of an answer has not been cut off.
    if (!reply.complete && !left) this.tell({ type: 'incomplete', why: reply.why ?? 'cut', output })
    this.watch?.reply(reply, left)
    try {
      this.settings.onReply?.(reply, this.about)
    } catch (error) {
      if (this.settings.strict) throw error
    }
  }

  /** A step of Suture's own: where it fails, the request goes on without it. */
  private own(step: string, work: () => void, undo?: () => void): void {
    try {
      work()
    } catch (error) {
      this.failed(step, error)
      undo?.()
    }
  }

  private readonly asIs = (): void => {
    this.was = this.now = undefined
    this.sending = { body: this.asked.body, changed: false }
  }

  private failed(step: string, error: unknown): void {
    this.tell({ type: 'failed', step, error: nameOf(error) })
    if (this.settings.strict) throw error
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
