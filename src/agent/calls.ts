/**
 * Runs the calls of one answer: checks them against their tools, runs them in parallel, stores each result at once.
 * No call is started twice, and the session records why a call has no result.
 */
import { type Cause, causeText, type Part } from '../core/index.ts'
import { argumentsOf } from '../dialects/replies/calls.ts'
import { callKey } from '../session/index.ts'
import { matched, start, type Tool } from '../tools/index.ts'
import { Repeats } from '../tools/repeats.ts'
import { denied, repeated } from './texts-for-model.ts'
import type { Running } from './turn.ts'
import type { Approval, Approvals, Call, ResultWhy, TurnEvent } from './types.ts'

/** One call on its way to a result. */
interface Job {
  readonly call: Call
  readonly part: Part
  state: 'new' | 'waiting' | 'running' | 'answered' | 'stored'
  tool?: Tool
  input?: unknown
  result?: unknown
  /** Why its result is synthetic. */
  synthetic?: Cause | undefined
  /** Sent when the result is stored. */
  event?: TurnEvent
  /** Position of the result in the log. */
  stored?: Promise<number | undefined>
}

const BEFORE: Cause = 'aborted-before-start'
const WHILE: Cause = 'aborted-while-running'

export class Calls {
  /** Aborted tools that may still return a result. */
  readonly late: Promise<void>[] = []
  jobs: readonly Job[] = []
  private readonly turn: Running
  private readonly repeats = new Repeats()

  constructor(turn: Running) {
    this.turn = turn
  }

  /** Calls that wait for approval. */
  get waiting(): readonly Call[] {
    return this.jobs.filter(({ state }) => state === 'waiting').map(({ call }) => call)
  }

  take(parts: readonly Part[]): void {
    this.jobs = parts.map(jobOf)
  }

  /** Runs the calls that may run. Afterward each call is answered, waits for approval, or was aborted. */
  async run(approvals?: Approvals): Promise<void> {
    const { signal } = this.turn
    const { maxParallelTools = 4 } = this.turn.options
    for (const job of this.jobs) if (!signal.aborted) await this.screen(job, approvals)
    const todo = this.jobs.filter(({ state }) => state === 'new')
    // From here on an approved call may have had an effect; a crash must not state that it did not start.
    if (approvals && todo.length > 0) await this.note((job) => (todo.includes(job) ? 'crashed' : BEFORE), this.waiting)
    const lane = async () => {
      for (let job = todo.shift(); job && !signal.aborted; job = todo.shift()) await this.runJob(job)
    }
    await Promise.all(Array.from({ length: maxParallelTools }, lane))
  }

  /** Records which calls wait for approval. Returns whether there are any. */
  async wait(): Promise<boolean> {
    const { waiting } = this
    if (waiting.length > 0) await this.note(() => BEFORE, waiting)
    return waiting.length > 0
  }

  /** Records the causes for calls that are not run, or not to their end. */
  async abandon(): Promise<void> {
    const causeOf = ({ state }: Job): Cause => (state === 'running' ? WHILE : BEFORE)
    await this.note(causeOf)
    if (!this.ordered) return
    for (const job of this.jobs)
      if (job.result === undefined) this.write(job, causeText(causeOf(job)), true, causeOf(job))
    await this.flush()
  }

  /** Handles calls that are not run: invalid, repeated, denied or waiting ones. */
  private async screen(job: Job, approvals?: Approvals): Promise<void> {
    const { call } = job
    const { tools = [], maxIdenticalCalls = 3 } = this.turn.options
    if (!approvals) this.turn.emit({ type: 'call', call })
    // Results are paired by place: no call after a waiting one can be answered yet.
    if (this.ordered && this.waiting.length > 0) return this.defer(job, approvals)
    const match = await matched(tools, call.name, call.arguments)
    if ('text' in match) return this.answer(job, match.text, match.why)
    const times = approvals ? 0 : this.repeats.count(call.name, call.arguments)
    if (maxIdenticalCalls > 1 && times >= maxIdenticalCalls)
      return this.answer(job, repeated(call.name, times), 'repeated')
    Object.assign(job, match)
    const approval = await this.approval(job, approvals)
    if (approval === undefined) return this.defer(job, approvals)
    if (approval !== true) await this.answer(job, denied(approval), 'denied')
  }

  private defer(job: Job, approvals: Approvals | undefined): void {
    job.state = 'waiting'
    if (!approvals) this.turn.emit({ type: 'waiting', call: job.call })
  }

  private async approval({ tool, input, call }: Job, given: Approvals = {}): Promise<Approval | undefined> {
    const { approval } = tool!
    const needs = typeof approval === 'function' ? await approval(input) : approval === true
    if (!needs) return true
    return Object.hasOwn(given, call.id) ? given[call.id] : this.turn.options.approve?.(call)
  }

  private async runJob(job: Job): Promise<void> {
    const { call, tool, input } = job
    const { signal, options } = this.turn
    job.state = 'running'
    const progress = (detail: unknown) => this.turn.emit({ type: 'progress', call, detail })
    const about = { id: call.id, name: call.name, signal, progress }
    const { first, ran } = start(tool!, input, about, options.toolTimeoutMs ?? 120_000)
    const done = await first
    if (done) return this.answer(job, done.text, done.why)
    // A tool that only reports that it was aborted has no result.
    this.late.push(ran.then(({ text, why }) => (why === 'returned' ? this.storeLate(job, text) : undefined)))
    if (!signal.aborted) await this.answer(job, causeText(WHILE), 'timed-out', WHILE)
  }

  /** A late result replaces the synthetic one. */
  private async storeLate(job: Job, text: string): Promise<void> {
    if (job.part.id === undefined && job.state !== 'stored') return this.write(job, text, false)
    const { session } = this.turn
    try {
      const insteadOf = await job.stored
      this.write(job, text, false)
      const where = insteadOf === undefined ? {} : { insteadOf }
      await session.append(session.wiring.service.dialect.wrapResults([job.result]), { expectedHead: 'any', ...where })
    } catch {
      // Ignored: the session states that the outcome is unknown, which stays true.
    }
  }

  private answer(job: Job, text: string, why: ResultWhy, synthetic?: Cause): Promise<void> {
    const failed = why !== 'returned'
    this.write(job, text, failed, synthetic)
    job.event = { type: 'result', call: job.call, text, failed, why }
    return this.flush()
  }

  private write(job: Job, text: string, failed: boolean, synthetic?: Cause): void {
    job.result = this.turn.session.wiring.service.dialect.answer(job.part, text, !failed)
    job.synthetic = synthetic
    job.state = 'answered'
  }

  /** Results without ids are paired by place: they are stored in the order of their calls. */
  private async flush(): Promise<void> {
    const isOpen = ({ state }: Job) => state !== 'answered' && state !== 'stored'
    const gap = this.ordered ? this.jobs.findIndex(isOpen) : -1
    const ready = (gap < 0 ? this.jobs : this.jobs.slice(0, gap)).filter(({ state }) => state === 'answered')
    await Promise.all(ready.map((job) => (job.stored = this.store(job))))
  }

  private async store(job: Job): Promise<number | undefined> {
    job.state = 'stored'
    const { session } = this.turn
    const made = job.synthetic ? { synthetic: [job.synthetic] } : {}
    const messages = session.wiring.service.dialect.wrapResults([job.result])
    const { positions } = await session.append(messages, { expectedHead: 'any', ...made })
    if (job.event) this.turn.emit(job.event)
    return positions[0]
  }

  /** Records the cause for each call without a result, and which of them wait. */
  private note(causeOf: (job: Job) => Cause, waiting: readonly Call[] = []): Promise<void> {
    const open = this.jobs.filter(({ result }) => result === undefined)
    const calls = Object.fromEntries(open.map((job) => [job.call.id, causeOf(job)]))
    const waits = waiting.length > 0 ? { waits: waiting.map(({ id }) => id) } : {}
    return this.turn.session.abort({ cause: BEFORE, calls, ...waits })
  }

  private get ordered(): boolean {
    return this.jobs.some(({ part }) => part.id === undefined)
  }
}

function jobOf(part: Part): Job {
  const { name = '', body } = part
  const input = typeof body === 'string' ? argumentsOf(body) : (body ?? {})
  return { call: { id: callKey(part), name, arguments: input }, part, state: 'new' }
}
