/**
 * One turn of a session: sends requests and runs tools until the model stops.
 * After an abort, a crash, a rejection or a broken stream the session is valid, and the next prompt works.
 */
import { isSutureError, type Reply, readMessage, Transcript } from '../core/index.ts'
import { type AskResult, ask } from '../guard/ask.ts'
import { pause } from '../guard/pause.ts'
import { checkMessages } from '../session/check-messages.ts'
import type { Session } from '../session/index.ts'
import { declarations } from '../tools/index.ts'
import { Calls } from './calls.ts'
import { ANSWER_NOW, CONTINUE_ANSWER, unreadable } from './texts-for-model.ts'
import type { Approvals, Outcome, Prompt, Turn, TurnEvent, TurnOptions } from './types.ts'

const MAX_STEPS = 50

/** Runs one turn, until the model has answered. Turns of one session wait for each other. */
export function runTurn(session: Session, prompt: Prompt, options: TurnOptions): Turn {
  return new Running(session, options, prompt)
}

/** Continues without a new prompt: after a crash or an incomplete answer, or with approvals for waiting calls. */
export function resumeTurn(
  session: Session,
  { approvals = {}, ...options }: TurnOptions & { readonly approvals?: Approvals },
): Turn {
  return new Running(session, options, undefined, approvals)
}

export class Running implements Turn {
  readonly outcome: Promise<Outcome>
  readonly settled: Promise<void>
  readonly session: Session
  readonly options: TurnOptions
  readonly signal: AbortSignal
  private readonly stop = new AbortController()
  private events: ReadableStreamDefaultController<TurnEvent> | undefined
  private readonly stream: ReadableStream<TurnEvent>
  private readonly calls: Calls
  private prompts: { readonly prompt: Prompt; readonly when: 'now' | 'after' }[] = []
  /** Notes for the next request that are not stored. */
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
    this.stream = new ReadableStream({ start: (events) => void Object.assign(this, { events }) })
    this.calls = new Calls(this)
    if (prompt !== undefined) this.say(prompt)
    this.outcome = session.inTurn(() => this.run(approvals))
    void this.outcome.then((outcome) => this.emit({ type: 'done', outcome }))
    this.settled = this.outcome.then(() => Promise.all(this.calls.late)).then(() => {})
  }

  [Symbol.asyncIterator](): AsyncIterator<TurnEvent> {
    return this.stream.values({ preventCancel: true })
  }

  abort(): void {
    this.stop.abort()
  }

  say(prompt: Prompt, when: 'now' | 'after' = 'now'): boolean {
    if (typeof prompt !== 'string') checkMessages(prompt, 'A prompt that is not a string')
    if (!this.over) this.prompts.push({ prompt, when })
    return !this.over
  }

  /** Aborted tools may still report progress after the end. */
  emit(event: TurnEvent): void {
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
      // Stops tools that still run after a failure of the store.
      this.stop.abort()
      if (options.owner !== undefined) await session.release().catch(() => {})
    }
  }

  private async turn(): Promise<Outcome> {
    const maxSteps = this.options.maxSteps ?? MAX_STEPS
    await this.session.mark('begun')
    for (;;) {
      this.calls.take([])
      await this.storePrompts('now')
      if (this.signal.aborted) return this.aborted()
      const last = ++this.steps >= maxSteps
      const result = await this.ask(last && maxSteps > 1)
      await this.storeReply(result.reply)
      const isRetried = !result.reply?.complete && !this.signal.aborted && (await this.retry(result))
      if (this.signal.aborted) return this.aborted()
      if (isRetried) continue
      if (!result.reply?.complete) return this.broken(result)
      const outcome = await this.answered(result.reply, last)
      if (outcome) return outcome
    }
  }

  /** After a complete answer: runs its tools or takes the next prompt. Returns an outcome if there is neither. */
  private async answered({ broken }: Reply, last: boolean): Promise<Outcome | undefined> {
    const { calls } = this
    if (calls.jobs.length === 0 && broken.length === 0) {
      // Checked again without a pause: no prompt can be added between this check and the end.
      if (!(await this.storePrompts('after')) && this.prompts.length === 0) return this.ended('done', 'ended')
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
    // A prompt instead of a decision: the waiting calls never run.
    return this.prompts.length === 0 ? this.ended('waiting') : undefined
  }

  /** Applies approvals to the waiting calls. Undefined: the turn continues. */
  private async resume(approvals: Approvals): Promise<Outcome | undefined> {
    const { session } = this
    if (session.waiting.length > 0) {
      await session.mark('begun')
      this.calls.take(session.waiting)
      return this.runTools(approvals)
    }
    const last = (await session.entries()).at(-1)
    const answered =
      last &&
      session.open.length === 0 &&
      readMessage(last.message, session.wiring.service.dialect).role === 'assistant'
    if (!last || (answered && !last.incomplete)) return this.ended('done')
    if (last.incomplete) this.notes.push(CONTINUE_ANSWER)
    return undefined
  }

  private async ask(answerOnly: boolean): Promise<AskResult> {
    const [{ wiring }, { system, tools = [] }] = [this.session, this.options]
    await this.compact('step')
    const notes = [...this.notes, ...(answerOnly ? [ANSWER_NOW] : [])]
    const note = notes.length > 0 ? [wiring.service.dialect.textMessage('user', notes.join('\n'))] : []
    const history = [...(await this.session.history()), ...note]
    const input = { history, system, tools: declarations(tools), answerOnly }
    const result = await ask(wiring, input, this.options, { signal: this.signal, onEvent: (event) => this.emit(event) })
    this.text = result.text
    if (result.reply?.complete) this.notes = []
    return result
  }

  /** Stores the prompts that are due; after an answer, the next queued one. Returns whether there were any. */
  private async storePrompts(when: 'now' | 'after'): Promise<boolean> {
    const now = this.prompts.filter((one) => one.when === 'now')
    const next = now.length > 0 ? now : when === 'after' ? this.prompts.slice(0, 1) : []
    for (const one of next) {
      const { prompt } = one
      const { dialect } = this.session.wiring.service
      const messages = typeof prompt === 'string' ? [dialect.textMessage('user', prompt)] : prompt
      await this.session.append(messages, { expectedHead: 'results' })
      this.prompts = this.prompts.filter((other) => other !== one)
      this.emit({ type: 'prompt', prompt })
    }
    return next.length > 0
  }

  /** Stores the part of an answer that arrived. */
  private async storeReply(reply: Reply | undefined): Promise<void> {
    if (!reply) return
    const { messages, complete, usage, why = 'cut' } = reply
    this.usage.input += usage?.input ?? 0
    this.usage.output += usage?.output ?? 0
    if (complete) this.calls.take(new Transcript(messages, this.session.wiring.service.dialect).calls)
    else this.emit({ type: 'incomplete', why: this.signal.aborted ? 'aborted' : why })
    await this.session.append(messages, { expectedHead: 'results', incomplete: !complete })
  }

  /** Whether an incomplete answer is requested again. */
  private async retry({ reply, error, tooLong }: AskResult): Promise<boolean> {
    const { maxRetries = 2, maxSteps = MAX_STEPS, guard } = this.options
    if (this.retries >= maxRetries || (!tooLong && (isSutureError(error, 'rejected') || this.steps >= maxSteps)))
      return false
    if (!tooLong) {
      if (reply && reply.messages.length > 0) this.notes.push(CONTINUE_ANSWER)
      await (guard?.wait ?? pause)(250 * 2 ** this.retries, this.signal).catch(() => {})
    } else if (!(await this.compact('too-long'))) return false
    if (this.signal.aborted) return false
    const recovery = tooLong ? 'compact' : 'ask-again'
    this.emit({ type: 'recovered', recovery, report: { retry: ++this.retries, maxRetries } })
    return true
  }

  /** Whether the session is shorter now. A failed compaction is reported and changes nothing. */
  private async compact(why: 'step' | 'too-long'): Promise<boolean> {
    try {
      const done = await this.options.compact?.(this.session, why)
      if (done?.changesAnything) this.emit({ type: 'compacted', report: done.receipt, failed: false })
      return done?.changesAnything === true
    } catch (error) {
      this.emit({ type: 'compacted', report: String(error), failed: true })
      return false
    }
  }

  private async aborted(): Promise<Outcome> {
    await this.calls.abandon()
    return this.ended('aborted')
  }

  private broken({ reply, error }: AskResult): Promise<Outcome> {
    if (reply && reply.messages.length > 0) return this.ended('incomplete', 'failed')
    return this.failed(error ?? new Error(`The response was cut off: ${JSON.stringify(reply?.error ?? reply?.why)}`))
  }

  private async failed(error: Error): Promise<Outcome> {
    // If the store failed, the session reports it when it is opened again.
    await this.session.mark('failed', { error: error.message }).catch(() => {})
    return { ...(await this.ended('failed')), error }
  }

  private async ended(status: Outcome['status'], mark?: 'ended' | 'failed'): Promise<Outcome> {
    this.over = true
    if (mark) await this.session.mark(mark)
    // Queued prompts are stored for the next turn.
    while (this.prompts.length > 0 && (await this.storePrompts('after').catch(() => false)));
    const { text, steps, usage } = this
    return { status, text, steps, usage, waiting: status === 'waiting' ? this.calls.waiting : [] }
  }
}
