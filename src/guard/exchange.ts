/**
 * One request and its answer: mend, send, look, recover, send again. Bytes, headers and a `send`: no web objects, no sockets.
 * A failure of Suture's own lets the request through as it came, unless the guard is strict.
 */
import { type JsonObject, lint, type Target } from '../core/index.ts'
import { type Answer, type Hears, look } from './answer.ts'
import type { Answered, Asked, Send, Sending, Upstream } from './core.ts'
import type { Counts } from './events.ts'
import type { Settings } from './options.ts'
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
import { nameOf, Told } from './told.ts'

export function exchange<U extends Upstream>(asked: Asked, settings: Settings, send: Send<U>): Promise<Answered<U>> {
  return new Exchange(asked, settings, send).run()
}

const NO_COUNTS: Counts = {}
const NO_EXTRA: Readonly<Record<string, string>> = {}

class Exchange<U extends Upstream> extends Told implements Hears {
  private readonly send: Send<U>
  private readonly target: Target
  /** There is a history in the body, so that something can be done about a refusal. */
  private readable = false
  private several = false
  /** The body as it came, parsed. Of a sound one nothing is kept while its answer is waited for: few are refused, and those are parsed again. */
  private was: JsonObject | undefined
  /** The body as it is sent. */
  private now: JsonObject | undefined
  private sending: Sending
  private findings = ''
  // Made when there is something to put into them: most requests are sound and answered at once.
  private tried: string[] | undefined
  private sent: string[] | undefined
  private recoveries: Recovered[] | undefined

  constructor(asked: Asked, settings: Settings, send: Send<U>) {
    super(asked, settings)
    this.send = send
    this.target = targetOf(asked.endpoint, settings)
    this.sending = { body: asked.body, changed: false, headers: undefined, signal: undefined }
  }

  async run(): Promise<Answered<U>> {
    const { asked, settings } = this
    try {
      this.mend()
      for (let count = 1; ; count++) {
        const upstream = await reached(this.send, this.sending, asked.signal, settings.longestSilence)
        const looked = look(upstream, asked, this)
        const answer = looked instanceof Promise ? await looked : looked
        asked.signal?.throwIfAborted()
        const next = answer.refused && count < settings.most ? await this.next(answer.refused, answer.kind) : undefined
        if (!next) return this.given(upstream, answer)
        upstream.body.cancel()
        await settings.wait(next.wait ?? 0, asked.signal)
      }
    } catch (error) {
      this.watch?.end(nameOf(error))
      throw error
    }
  }

  private mend(): void {
    try {
      if (!this.isSound()) this.prepare()
    } catch (error) {
      this.failed('repair', error)
      this.asIs()
    }
  }

  /** Found sound at a glance. Whatever else is found, or is to be done to it, needs the body read in full. */
  private isSound(): boolean {
    const { asked, settings } = this
    if (!asked.glance || asked.parsed || !settings.memory.empty) return false
    const body = asked.glance()
    if (!body || mended(body, this.target)?.findings.length !== 0) return false
    this.begin(body)
    this.readable = true
    this.several = wantsSeveral(body)
    return true
  }

  private begin(body: JsonObject): void {
    if (this.model === undefined && typeof body['model'] === 'string') this.model = body['model']
    this.watch?.begin(this.about)
  }

  /** Reads the body and mends it; decisions of earlier requests are done to it before it is first sent. */
  private prepare(): void {
    const body = this.asked.parsed ?? parsed(this.asked.body)
    if (typeof body === 'string') {
      this.tell({ type: 'passed', why: body })
      return
    }
    this.begin(body)
    const result = mended(body, this.target)
    if (!result) {
      this.tell({ type: 'passed', why: 'no-history' })
      return
    }
    this.readable = true
    this.several = wantsSeveral(body)
    this.take(body, result)
  }

  private take(came: JsonObject, result: Mended): void {
    const { mode, signed, endpoint } = this.asked
    const findings = result.findings.length === 0 ? NO_COUNTS : countsOf(result.findings)
    if (findings !== NO_COUNTS) this.findings = headerOf(findings)
    const messages = (result.body[endpoint.service.dialect.key] as { length: number }).length
    if (mode === 'lint' || signed) {
      if (this.findings !== '') this.tell({ type: 'found', findings, messages })
      if (signed && result.edits > 0) this.tell({ type: 'passed', why: 'signed' })
      return
    }
    const redoes = mode === 'recover' && !this.settings.memory.empty
    if (redoes || result.edits > 0) this.was = this.now = came
    if (result.edits > 0) {
      const { bytes, way } = this.change(result.body)
      const { edits, remaining } = result
      this.tell({ type: 'repaired', findings, left: countsOf(remaining), edits, messages, bytes, way })
    }
    if (redoes) this.own('redo', () => this.again())
  }

  private again(): void {
    const { asked, options } = this
    const { service, provider } = asked.endpoint
    const { model } = this
    const { memory } = this.settings
    const done = redo({ body: this.now!, headers: asked.headers.all(), service, provider, model, memory, options })
    if (!done) return
    const { bytes } = this.change(done.body, done.headers)
    this.tell({ type: 'shrunk', recovery: done.id, report: done.report, bytes })
  }

  /** What the provider took after a refusal is done to the next request of this conversation at once. */
  private readonly accepted = (): void => {
    for (const { accepted } of this.recoveries ?? []) accepted?.()
  }

  /** What is sent next, after a refusal; undefined when the provider's own error goes back. */
  private async next(refused: Refused, kind: Refusal['kind'] | undefined): Promise<Recovered | undefined> {
    if (!this.readable || this.asked.mode !== 'recover') return undefined
    try {
      return await this.recovered(refused, kind)
    } catch (error) {
      this.failed('recover', error)
      return undefined
    }
  }

  private async recovered(refused: Refused, kind: Refusal['kind'] | undefined): Promise<Recovered | undefined> {
    const { asked, settings, target, model } = this
    const body = this.bodyNow()
    const headers = this.sending.headers ?? asked.headers.all()
    const refusal: Refusal = kind ? { kind, ids: [], text: '' } : classify(refused, () => lint(body, target))
    const { status } = refused
    const rule = refusal.rule === undefined ? {} : { rule: refusal.rule }
    this.tell({ type: 'refused', status, kind: refusal.kind, ...rule, inside: status < 400 })
    this.tried ??= []
    this.sent ??= []
    this.sent.push(fingerprint(body, headers))
    const { service, provider } = asked.endpoint
    const { memory } = settings
    const { tried, sent, options } = this
    const attempt = { body, headers, service, provider, model, refusal, tried, sent, memory, options }
    const found = await recover(attempt)
    if (!found) return undefined
    const changed = found.body !== body || found.headers !== undefined
    if (changed && asked.signed) return undefined
    tried.push(found.id)
    this.recoveries ??= []
    this.recoveries.push(found)
    const bytes = changed ? this.change(found.body, found.headers).bytes : untouched(this.sending.body)
    const wait = found.wait === undefined ? {} : { wait: found.wait }
    this.tell({ type: 'recovered', recovery: found.id, report: found.report, bytes, ...wait })
    if (found.id === 'shrink') this.tell({ type: 'shrunk', recovery: found.id, report: found.report, bytes })
    return found
  }

  /** What was sent last, parsed. */
  private bodyNow(): JsonObject {
    if (!this.now) this.was = this.now = (this.asked.parsed ?? parsed(this.asked.body)) as JsonObject
    return this.now
  }

  get streaming(): StreamOptions {
    return { skims: !this.reads && !this.several, longest: this.settings.longestFrame }
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
    this.sending = { body: out.body, changed: now !== this.was, headers, signal: undefined }
    return out
  }

  private given(upstream: U, { body, whole, reply, reads, refused }: Answer): Answered<U> {
    if (this.recoveries && !refused) this.own('remember', this.accepted)
    // Nothing is sent again: a stream may go on for minutes, and what it answers is large.
    this.was = this.now = undefined
    if (reply) this.over(reply, true, false)
    else if (reads) this.watch?.bound(reads)
    else if (!body) this.watch?.end(upstream.status >= 400 ? String(upstream.status) : undefined)
    return { upstream, extra: this.extra(), body, whole }
  }

  private extra(): Readonly<Record<string, string>> {
    if (this.findings === '' && !this.tried?.length) return NO_EXTRA
    const extra: Record<string, string> = {}
    if (this.findings !== '') extra['suture-findings'] = this.findings
    if (this.tried?.length) extra['suture-recovery'] = this.tried.join(', ')
    return extra
  }

  private asIs(): void {
    this.readable = false
    this.was = this.now = undefined
    this.sending = { body: this.asked.body, changed: false, headers: undefined, signal: undefined }
  }
}
