/**
 * One turn of a session: send, tell, run the tools, go on, until the model stops.
 * Whatever ends it, an abort, a crash, a refusal, a stream that breaks, the session is whole and the next prompt just works.
 */
import { isSutureError, type Reply } from '../core/index.ts'
import { ask, type Heard } from '../guard/ask.ts'
import { pause } from '../guard/pause.ts'
import type { Session } from '../session/index.ts'
import { checkMessages } from '../session/messages.ts'
import { callsIn } from '../session/tail.ts'
import { declarations } from '../tools/index.ts'
import { Calls } from './calls.ts'
import type { Approvals, Outcome, Prompt, Turn, TurnEvent, TurnOptions } from './types.ts'
import { ANSWER_NOW, GO_ON, unreadable } from './words.ts'

const STEPS = 50

/** Runs one turn: the prompt, and all it takes until the model has answered. Turns of one session wait for each other. */
export function runTurn(session: Session, prompt: Prompt, options: TurnOptions): Turn {
  return new Running(session, options, prompt)
}

/** Goes on without a new prompt: after a crash or an answer that broke off, or with a person's answers to calls that wait. */
export function resumeTurn(
  session: Session,
  { approvals = {}, ...options }: TurnOptions & { readonly approvals?: Approvals },
): Turn {
  return new Running(session, options, undefined, approvals)
}

/** A turn on its way. */
export class Running implements Turn {
  readonly outcome: Promise<Outcome>
  readonly settled: Promise<void>
  readonly session: Session
  readonly options: TurnOptions
  readonly signal: AbortSignal
  private readonly stop = new AbortController()
  private events: ReadableStreamDefaultController<TurnEvent> | undefined
  private readonly told: ReadableStream<TurnEvent>
  private readonly calls: Calls
  /** Prompts that are not stored yet, in order. */
  private prompts: { readonly prompt: Prompt; readonly when: 'now' | 'after' }[] = []
  /** Words for the next request that are no part of the conversation. */
  private notes: string[] = []
  private over = false
  private steps = 0
  private retries = 0
  private text = ''
  private readonly usage = { input: 0, output: 0 }

  constructor(session: Session, options: TurnOptions, prompt?: Prompt, approvals?: Approvals) {
    this.session = session
    this.options = options
    this.signal = AbortSignal.any([this.stop.signal, ...(options.signal ? [options.signal] : [])])
    this.told = new ReadableStream({ start: (events) => void Object.assign(this, { events }) })
    this.calls = new Calls(this)
    if (prompt !== undefined) this.say(prompt)
    this.outcome = session.inTurn(() => this.run(approvals))
    void this.outcome.then((outcome) => this.tell({ type: 'done', outcome }))
    this.settled = this.outcome.then(() => Promise.all(this.calls.late)).then(() => {})
  }

  /** Who stops reading may come back for the rest. */
  [Symbol.asyncIterator](): AsyncIterator<TurnEvent> {
    return this.told.values({ preventCancel: true })
  }

  abort(): void {
    this.stop.abort()
  }

  say(prompt: Prompt, when: 'now' | 'after' = 'now'): boolean {
    if (typeof prompt !== 'string') checkMessages(prompt, 'A prompt that is no string')
    if (!this.over) this.prompts.push({ prompt, when })
    return !this.over
  }

  /** Tools that were told to stop may still talk when all is over. */
  tell(event: TurnEvent): void {
    this.events?.enqueue(event)
    if (event.type !== 'done') return
    this.events?.close()
    this.events = undefined
  }

  private async run(approvals: Approvals | undefined): Promise<Outcome> {
    const { session, options } = this
    try {
      if (options.owner !== undefined) await session.claim(options.owner, { takeOver: options.takeOver ?? false })
      await session.refresh()
      return (approvals && (await this.resume(approvals))) ?? (await this.turn())
    } catch (error) {
      return await this.failed(error instanceof Error ? error : new Error(String(error)))
    } finally {
      this.over = true
      // Tools that still run after a failure of the store are told to stop.
      this.stop.abort()
      if (options.owner !== undefined) await session.release().catch(() => {})
    }
  }

  private async turn(): Promise<Outcome> {
    const most = this.options.steps ?? STEPS
    await this.session.mark('begun')
    for (;;) {
      this.calls.take([])
      await this.hear('now')
      if (this.signal.aborted) return this.aborted()
      const last = ++this.steps >= most
      const heard = await this.ask(last && most > 1)
      await this.keep(heard.reply)
      const again = !heard.reply?.complete && !this.signal.aborted && (await this.again(heard))
      if (this.signal.aborted) return this.aborted()
      if (again) continue
      if (!heard.reply?.complete) return this.broken(heard)
      const outcome = await this.answered(heard.reply, last)
      if (outcome) return outcome
    }
  }

  /** After a whole answer: its tools, or the next prompt; an outcome when neither is left. */
  private async answered({ broken }: Reply, last: boolean): Promise<Outcome | undefined> {
    const { calls } = this
    if (calls.jobs.length === 0 && broken.length === 0) {
      // Asked once more without a pause: nothing can be said between the question and the end.
      if (!(await this.hear('after')) && this.prompts.length === 0) return this.ended('done', 'ended')
      this.steps = 0
      return undefined
    }
    for (const { name, why } of broken) this.notes.push(unreadable(name, why))
    if (!last) return this.runTools()
    await calls.abandon()
    return this.ended('limit', 'ended')
  }

  private async runTools(approvals?: Approvals): Promise<Outcome | undefined> {
    await this.calls.run(approvals)
    if (this.signal.aborted) return this.aborted()
    if (!(await this.calls.wait())) return undefined
    // A prompt instead of an answer: then they never begin.
    return this.prompts.length === 0 ? this.ended('waiting') : undefined
  }

  /** The calls that wait get their answers; undefined: the turn goes on. */
  private async resume(approvals: Approvals): Promise<Outcome | undefined> {
    const { session } = this
    if (session.waiting.length > 0) {
      await session.mark('begun')
      this.calls.take(session.waiting)
      return this.runTools(approvals)
    }
    const last = (await session.entries()).at(-1)
    const answered =
      last && session.open.length === 0 && session.wiring.service.dialect.read(last.message, 0, []) === 'assistant'
    if (!last || (answered && !last.incomplete)) return this.ended('done')
    if (last.incomplete) this.notes.push(GO_ON)
    return undefined
  }

  private async ask(answerOnly: boolean): Promise<Heard> {
    const { wiring } = this.session
    const { system, tools = [] } = this.options
    await this.compact('step')
    const said = answerOnly ? [...this.notes, ANSWER_NOW] : this.notes
    const note = said.length > 0 ? [wiring.service.dialect.say('user', said.join('\n'))] : []
    const history = [...(await this.session.history()), ...note]
    const heard = await ask(wiring, { history, system, tools: declarations(tools), answerOnly }, this.options, this)
    this.text = heard.text
    if (heard.reply?.complete) this.notes = []
    return heard
  }

  /** Stores prompts for now; `after` an answer, where there are none, the next of the others. Whether there were any. */
  private async hear(when: 'now' | 'after'): Promise<boolean> {
    const now = this.prompts.filter((one) => one.when === 'now')
    const next = now.length > 0 ? now : when === 'after' ? this.prompts.slice(0, 1) : []
    for (const one of next) {
      const { prompt } = one
      const { dialect } = this.session.wiring.service
      const messages = typeof prompt === 'string' ? [dialect.say('user', prompt)] : prompt
      await this.session.append(messages, { expectedHead: 'results' })
      this.prompts = this.prompts.filter((other) => other !== one)
      this.tell({ type: 'prompt', prompt })
    }
    return next.length > 0
  }

  /** Stores what came of an answer, as far as it came. */
  private async keep(reply: Reply | undefined): Promise<void> {
    if (!reply) return
    const { messages, complete, usage, why = 'cut' } = reply
    this.usage.input += usage?.input ?? 0
    this.usage.output += usage?.output ?? 0
    if (complete) this.calls.take(callsIn(this.session.wiring.service.dialect, messages))
    else this.tell({ type: 'incomplete', why: this.signal.aborted ? 'aborted' : why })
    await this.session.append(messages, { expectedHead: 'results', incomplete: !complete })
  }

  /** Whether an answer that is none is asked for once more. */
  private async again({ reply, error, tooLong }: Heard): Promise<boolean> {
    const { retries: most = 2, steps = STEPS, guard } = this.options
    if (this.retries >= most || (!tooLong && (isSutureError(error, 'refused') || this.steps >= steps))) return false
    if (!tooLong) {
      if (reply && reply.messages.length > 0) this.notes.push(GO_ON)
      await (guard?.wait ?? pause)(250 * 2 ** this.retries, this.signal).catch(() => {})
    } else if (!(await this.compact('too-long'))) return false
    if (this.signal.aborted) return false
    const recovery = tooLong ? 'compact' : 'ask-again'
    this.tell({ type: 'recovered', recovery, report: { retry: ++this.retries, most } })
    return true
  }

  /** Whether the session sends less now. A compaction that fails is told and changes nothing. */
  private async compact(why: 'step' | 'too-long'): Promise<boolean> {
    try {
      const done = await this.options.compact?.(this.session, why)
      if (done?.acts) this.tell({ type: 'compacted', report: done.receipt, failed: false })
      return done?.acts === true
    } catch (error) {
      this.tell({ type: 'compacted', report: String(error), failed: true })
      return false
    }
  }

  private async aborted(): Promise<Outcome> {
    await this.calls.abandon()
    return this.ended('aborted')
  }

  private broken({ reply, error }: Heard): Promise<Outcome> {
    if (reply && reply.messages.length > 0) return this.ended('incomplete', 'failed')
    return this.failed(error ?? new Error(`The answer broke off: ${JSON.stringify(reply?.error ?? reply?.why)}`))
  }

  private async failed(error: Error): Promise<Outcome> {
    // Where the store is what failed, the session says as much when it is opened again.
    await this.session.mark('failed', { error: error.message }).catch(() => {})
    return { ...(await this.ended('failed')), error }
  }

  private async ended(status: Outcome['status'], mark?: 'ended' | 'failed'): Promise<Outcome> {
    this.over = true
    if (mark) await this.session.mark(mark)
    // None is lost: what was still to be said is there for the next turn.
    while (this.prompts.length > 0 && (await this.hear('after').catch(() => false)));
    const { text, steps, usage } = this
    return { status, text, steps, usage, waiting: status === 'waiting' ? this.calls.waiting : [] }
  }
}
