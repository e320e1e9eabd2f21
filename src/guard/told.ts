/**
 * Who is told what of one request: listeners, telemetry, whoever wants its reply. Knows nothing of how it is mended or sent.
 */
import type { Reply } from '../core/reply.ts'
import { unanswered } from './broken.ts'
import type { Asked } from './core.ts'
import type { About, What } from './events.ts'
import { notify, type Settings, unawaited } from './options.ts'
import type { Refusal } from './refusals/index.ts'
import { Silent } from './silence.ts'
import { type Watch, watch } from './telemetry.ts'

export class Told {
  protected readonly asked: Asked
  protected readonly settings: Settings
  protected readonly watch: Watch | undefined
  protected model: string | undefined
  private readonly request: number

  constructor(asked: Asked, settings: Settings) {
    this.asked = asked
    this.settings = settings
    this.watch = watch(settings.telemetry)
    this.model = asked.endpoint.model ?? settings.model
    this.request = ++settings.seen.requests
  }

  /** Somebody wants every reply, put together. */
  get reads(): boolean {
    return this.watch !== undefined || this.settings.onReply !== undefined
  }

  /** Bytes of the longest answer that is read whole. */
  get longestAnswer(): number | undefined {
    return this.settings.longestAnswer
  }

  protected get about(): About {
    const { request, model } = this
    const { provider, service } = this.asked.endpoint
    return { request, provider, dialect: service.dialect.id, ...(model === undefined ? {} : { model }) }
  }

  protected tell(what: What): void {
    this.watch?.tell(what)
    const { settings, asked } = this
    if (settings.onEvent || asked.ear) notify(settings, { ...this.about, ...what }, asked.ear)
  }

  protected rejected(status: number, { kind, rule }: Refusal, round: string | undefined): void {
    const about = { ...(rule === undefined ? {} : { rule }), ...(round === undefined ? {} : { round }) }
    this.tell({ type: 'refused', status, kind, ...about, inside: status < 400 })
  }

  over(reply: Reply, output: boolean, left: boolean): void {
    // Who wants no more of an answer has not been cut off.
    if (!reply.complete && !left) this.tell({ type: 'incomplete', why: reply.why ?? 'cut', output })
    this.watch?.reply(reply, left)
    if (reply.usage) this.asked.ear?.counted?.(reply.usage)
    if (!this.settings.onReply) return
    try {
      const failed = (error: unknown) => this.tell({ type: 'failed', step: 'onReply', error: nameOf(error) })
      unawaited(this.settings.onReply(reply, this.about), failed)
    } catch (error) {
      if (this.settings.strict) throw error
    }
  }

  /** Nothing of the answer has reached the caller, so its request fails as one without an answer: then its client may ask again. */
  protected unanswered(broken: unknown): unknown {
    this.tell({ type: 'incomplete', why: 'cut', output: false })
    return broken instanceof Silent
      ? broken
      : unanswered('the answer broke off before anything of it was there', broken)
  }

  /** Nothing more of the answer is looked at. */
  protected ended(status: number, cut: boolean | undefined): void {
    this.watch?.end(status >= 400 ? String(status) : cut ? 'cut' : undefined)
  }

  /** A step of Suture's own: where it fails, the request goes on without it. */
  protected own(step: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      this.failed(step, error)
    }
  }

  protected failed(step: string, error: unknown): void {
    this.tell({ type: 'failed', step, error: nameOf(error) })
    if (this.settings.strict) throw error
  }
}

export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
