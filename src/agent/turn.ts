/**
 * One turn of a session: send, tell, run the tools, go on, until the model stops.
 * Whatever ends it, an abort, a crash, a refusal, a stream that breaks, the session is whole and the next prompt just works.
 */
import { causeText, isSutureError, type Reply } from '../core/index.ts'
import type { GuardEvent } from '../guard/index.ts'
import { pause } from '../guard/pause.ts'
import type { Session } from '../session/index.ts'
import { ask, askedOf, type Heard } from './ask.ts'
import { Calls, type Job, jobsIn } from './calls.ts'
import { Events } from './events.ts'
import { Prompts } from './prompts.ts'
import type { Approval, Call, Outcome, Prompt, Turn, TurnEvent, TurnOptions } from './types.ts'
import { waitingIn } from './waiting.ts'
import { ANSWER_NOW, GO_ON, unreadable } from './words.ts'
import { append, compact } from './writing.ts'

const STEPS = 50
const RETRIES = 2

/** Runs one turn: the prompt, and all it takes until the model has answered. Turns of one session wait for each other. */
export function runTurn(session: Session, prompt: Prompt, options: TurnOptions): Turn {
  return new Running(session, options, prompt)
}

/** Goes on without a new prompt: after a crash or an answer that broke off, or with a person's answers to calls that wait. */
export function resumeTurn(
  session: Session,
  { approvals = {}, ...options }: TurnOptions & { readonly approvals?: Readonly<Record<string, Approval>> },
): Turn {
  return new Running(session, options, undefined, approvals)
}

class Running implements Turn {
  readonly outcome: Promise<Outcome>
  readonly settled: Promise<void>
  private readonly session: Session
  private readonly options: TurnOptions
  private readonly events = new Events<TurnEvent>()
  private readonly stop = new AbortController()
  private readonly signal: AbortSignal
  private readonly calls: Calls
  private readonly prompts: Prompts
  /** Words for the next request that are no part of the conversation. */
  private notes: string[] = []
  private jobs: readonly Job[] = []
  private over = false
  private steps = 0
  private retries = 0
  private text = ''
  private usage = { input: 0, output: 0 }

  constructor(session: Session, options: TurnOptions, prompt?: Prompt, approvals?: Readonly<Record<string, Approval>>) {
    this.session = session
    this.options = options
    this.signal = AbortSignal.any([this.stop.signal, ...(options.signal ? [options.signal] : [])])
    this.calls = new Calls(session, options, this.signal, this.tell)
    this.prompts = new Prompts(session, this.tell)
    if (prompt !== undefined) this.prompts.say(prompt, 'now')
    this.outcome = session.inTurn(() => this.run(approvals)).then((outcome) => this.end(outcome))
    this.settled = this.outcome.then(() => Promise.all(this.calls.late)).then(() => {})
  }

  [Symbol.asyncIterator](): AsyncGenerator<TurnEvent> {
    return this.events[Symbol.asyncIterator]()
  }

  abort(): void {
    this.stop.abort()
  }

  private readonly tell = (event: TurnEvent): void => this.events.push(event)

  say(prompt: Prompt, when: 'now' | 'after' = 'now'): boolean {
    if (!this.over) this.prompts.say(prompt, when)
    return !this.over
  }

  private end(outcome: Outcome): Outcome {
    this.tell({ type: 'done', outcome })
    this.events.end()
    return outcome
  }

  private async run(approvals: Readonly<Record<string, Approval>> | undefined): Promise<Outcome> {
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
      this.jobs = []
      await this.prompts.store('now')
      if (this.signal.aborted) return this.aborted()
      const last = ++this.steps >= most
      const heard = await this.ask(last && most > 1)
      const { reply } = heard
      await this.keep(reply)
      if (this.signal.aborted) return this.aborted()
      if (!reply?.complete) {
        if (await this.again(heard)) continue
        return this.broken(heard)
      }
      if (this.jobs.length === 0 && reply.broken.length === 0) {
        // Asked once more without a pause: nothing can be said between the question and the end.
        if (!(await this.prompts.store('after')) && this.prompts.none) return this.outcomeOf('done', 'ended')
        this.steps = 0
        continue
      }
      const outcome = await this.round(reply, last)
      if (outcome) return outcome
    }
  }

  /** The tools of one answer. */
  private async round(reply: Reply, last: boolean): Promise<Outcome | undefined> {
    for (const { name, why } of reply.broken) this.notes.push(unreadable(name, why))
    if (last) {
      for (const job of this.jobs)
        await this.calls.answer(job, this.jobs, causeText('aborted-before-start'), 'no-step-left')
      return this.outcomeOf('limit', 'ended')
    }
    await this.calls.run(this.jobs)
    return this.afterTools()
  }

  private async afterTools(): Promise<Outcome | undefined> {
    if (this.signal.aborted) return this.aborted()
    const waiting = this.waiting()
    if (waiting.length === 0) return undefined
    // What would be said of them if the conversation went on without an answer: they never began.
    const detail = { waiting: waiting.map(({ id }) => id) }
    await this.session.abort({ cause: 'aborted-before-start', detail })
    // A prompt instead of an answer: then they never will.
    return this.prompts.none ? this.outcomeOf('waiting') : undefined
  }

  /** The calls that wait get their answers; undefined: the turn goes on. */
  private async resume(approvals: Readonly<Record<string, Approval>>): Promise<Outcome | undefined> {
    const { session } = this
    this.jobs = await waitingIn(session)
    if (this.jobs.length > 0) {
      await session.mark('begun')
      await this.calls.run(this.jobs, approvals)
      return this.afterTools()
    }
    const last = (await session.entries()).at(-1)
    const answered =
      last && session.open.length === 0 && session.wiring.service.dialect.read(last.message, 0, []) === 'assistant'
    if (!last || (answered && !last.incomplete)) return this.outcomeOf('done')
    if (last.incomplete) this.notes.push(GO_ON)
    return undefined
  }

  private async ask(answerOnly: boolean): Promise<Heard> {
    const { session, options } = this
    await compact(session, options, 'step', this.tell)
    const notes = answerOnly ? [...this.notes, ANSWER_NOW] : this.notes
    const asked = await askedOf(session, options, notes, answerOnly)
    this.text = ''
    const heard = await ask(session, asked, options, {
      signal: this.signal,
      delta: (delta) => {
        if (delta.type === 'text') this.text += delta.text
        this.tell(delta)
      },
      event: (event) => this.guarded(event),
    })
    if (heard.reply?.complete) this.notes = []
    return heard
  }

  private guarded(event: GuardEvent): void {
    if (event.type === 'repaired') this.tell({ type: 'repaired', event })
    if (event.type === 'recovered') this.tell({ type: 'recovered', recovery: event.recovery, report: event.report })
  }

  /** Stores what came of an answer, as far as it came. */
  private async keep(reply: Reply | undefined): Promise<void> {
    if (!reply) return
    this.usage.input += reply.usage?.input ?? 0
    this.usage.output += reply.usage?.output ?? 0
    const { dialect } = this.session.wiring.service
    this.jobs = reply.complete ? jobsIn(dialect, reply.messages) : []
    if (!reply.complete) this.tell({ type: 'incomplete', why: this.signal.aborted ? 'aborted' : (reply.why ?? 'cut') })
    await append(this.session, reply.messages, !reply.complete)
  }

  /** Whether an answer that is none is asked for once more. */
  private async again({ reply, error, tooLong }: Heard): Promise<boolean> {
    const { session, options } = this
    const left = this.retries < (options.retries ?? RETRIES)
    if (tooLong && left && (await compact(session, options, 'too-long', this.tell))) return this.counted('compact')
    if (tooLong || isSutureError(error, 'refused') || !left || this.steps >= (options.steps ?? STEPS)) return false
    if (reply && reply.messages.length > 0) this.notes.push(GO_ON)
    await (options.guard?.wait ?? pause)(250 * 2 ** this.retries, this.signal).catch(() => {})
    return this.counted('ask-again')
  }

  private counted(recovery: string): boolean {
    this.retries++
    this.tell({ type: 'recovered', recovery, report: { retry: this.retries, most: this.options.retries ?? RETRIES } })
    return true
  }

  private async aborted(): Promise<Outcome> {
    this.over = true
    await this.calls.abandon(this.jobs)
    return this.outcomeOf('aborted')
  }

  private broken({ reply, error }: Heard): Promise<Outcome> | Outcome {
    const kept = reply && reply.messages.length > 0
    if (kept) return this.outcomeOf('incomplete', 'failed')
    return this.failed(error ?? new Error(`The answer broke off: ${JSON.stringify(reply?.error ?? reply?.why)}`))
  }

  private async failed(error: Error): Promise<Outcome> {
    this.over = true
    // Where the store is what failed, the session says as much when it is opened again.
    await this.session.mark('failed', { error: error.message }).catch(() => {})
    return { ...(await this.outcomeOf('failed')), error }
  }

  private waiting(): readonly Call[] {
    return this.jobs.filter(({ state }) => state === 'waiting').map(({ call }) => call)
  }

  private async outcomeOf(status: Outcome['status'], mark?: 'ended' | 'failed'): Promise<Outcome> {
    this.over = true
    if (mark) await this.session.mark(mark)
    // None is lost: what was still to be said is there for the next turn.
    await this.prompts.storeAll().catch(() => {})
    const { text, steps, usage } = this
    return { status, text, steps, usage, waiting: status === 'waiting' ? this.waiting() : [] }
  }
}
