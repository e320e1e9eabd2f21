/**
 * The calls of one answer: held against their tools, run side by side, each result stored as soon as it is there.
 * No call is ever started twice, and whatever stops a tool, the session knows what to say of it.
 */
import { type Cause, causeText, type Part } from '../core/index.ts'
import { argumentsOf } from '../dialects/replies/calls.ts'
import { resultFor } from '../dialects/requests.ts'
import { callKey } from '../session/index.ts'
import { matched, start, type Tool } from '../tools/index.ts'
import { Repeats } from '../tools/repeats.ts'
import type { Running } from './turn.ts'
import type { Approval, Approvals, Call, ResultWhy, TurnEvent } from './types.ts'
import { denied, repeated } from './words.ts'

/** One call on its way to a result. */
interface Job {
  readonly call: Call
  readonly part: Part
  state: 'new' | 'waiting' | 'running' | 'answered' | 'stored'
  tool?: Tool
  input?: unknown
  result?: unknown
  /** Why its result is none of the tool's. */
  madeUp?: Cause | undefined
  /** To be told when the result is stored. */
  event?: TurnEvent
  /** Where the result stands in the log. */
  stored?: Promise<number | undefined>
}

const BEFORE: Cause = 'aborted-before-start'
const WHILE: Cause = 'aborted-while-running'

export class Calls {
  /** Tools that were told to stop and may still bring a result. */
  readonly late: Promise<void>[] = []
  jobs: readonly Job[] = []
  private readonly turn: Running
  private readonly repeats = new Repeats()

  constructor(turn: Running) {
    this.turn = turn
  }

  /** The calls that wait for a person. */
  get waiting(): readonly Call[] {
    return this.jobs.filter(({ state }) => state === 'waiting').map(({ call }) => call)
  }

  take(parts: readonly Part[]): void {
    this.jobs = parts.map(jobOf)
  }

  /** Runs what may run. Then each call is answered, waits for a person, or was stopped by the abort. */
  async run(approvals?: Approvals): Promise<void> {
    const { signal } = this.turn
    const { parallel = 4 } = this.turn.options
    for (const job of this.jobs) if (!signal.aborted) await this.screen(job, approvals)
    const todo = this.jobs.filter(({ state }) => state === 'new')
    // From here on a call that was allowed may have had an effect, and a crash must not say otherwise.
    if (approvals && todo.length > 0) await this.note((job) => (todo.includes(job) ? 'crashed' : BEFORE), this.waiting)
    const lane = async () => {
      for (let job = todo.shift(); job && !signal.aborted; job = todo.shift()) await this.one(job)
    }
    await Promise.all(Array.from({ length: parallel }, lane))
  }

  /** Notes which calls wait for a person; if the conversation goes on without an answer, they never began. Whether there are any. */
  async wait(): Promise<boolean> {
    const { waiting } = this
    if (waiting.length > 0) await this.note(() => BEFORE, waiting)
    return waiting.length > 0
  }

  /** Tells the session what to say of the calls that will not be run, or not to their end. */
  async abandon(): Promise<void> {
    const causeOf = ({ state }: Job): Cause => (state === 'running' ? WHILE : BEFORE)
    await this.note(causeOf)
    if (!this.ordered) return
    for (const job of this.jobs)
      if (job.result === undefined) this.write(job, causeText(causeOf(job)), true, causeOf(job))
    await this.flush()
  }

  /** Decides what needs no tool: calls that cannot be run, that repeat, that are denied, that wait. */
  private async screen(job: Job, approvals?: Approvals): Promise<void> {
    const { call } = job
    const { tools = [], sameCalls = 3 } = this.turn.options
    if (!approvals) this.turn.tell({ type: 'call', call })
    // Paired by place: behind a call that waits nothing can be answered yet.
    if (this.ordered && this.waiting.length > 0) return this.defer(job, approvals)
    const match = await matched(tools, call.name, call.arguments)
    if ('says' in match) return this.answer(job, match.says, match.why)
    const times = approvals ? 0 : this.repeats.count(call.name, call.arguments)
    if (sameCalls > 1 && times >= sameCalls) return this.answer(job, repeated(call.name, times), 'repeated')
    Object.assign(job, match)
    const approval = await this.approval(job, approvals)
    if (approval === undefined) return this.defer(job, approvals)
    if (approval !== true) await this.answer(job, denied(approval), 'denied')
  }

  private defer(job: Job, approvals: Approvals | undefined): void {
    job.state = 'waiting'
    if (!approvals) this.turn.tell({ type: 'waiting', call: job.call })
  }

  private async approval({ tool, input, call }: Job, given: Approvals = {}): Promise<Approval | undefined> {
    const { approval } = tool!
    const needs = typeof approval === 'function' ? await approval(input) : approval === true
    if (!needs) return true
    return Object.hasOwn(given, call.id) ? given[call.id] : this.turn.options.approve?.(call)
  }

  private async one(job: Job): Promise<void> {
    const { call, tool, input } = job
    const { signal, options } = this.turn
    job.state = 'running'
    const progress = (detail: unknown) => this.turn.tell({ type: 'progress', call, detail })
    const about = { id: call.id, name: call.name, signal, progress }
    const { first, ran } = start(tool!, input, about, options.timeout ?? 120_000)
    const done = await first
    if (done) return this.answer(job, done.text, done.why)
    // A tool that only says that it stopped brings no result.
    this.late.push(ran.then(({ text, why }) => (why === 'returned' ? this.came(job, text) : undefined)))
    if (!signal.aborted) await this.answer(job, causeText(WHILE), 'timed-out', WHILE)
  }

  /** A result that came too late stands in place of what was said without it. */
  private async came(job: Job, text: string): Promise<void> {
    if (job.part.id === undefined && job.state !== 'stored') return this.write(job, text, false)
    const { session } = this.turn
    try {
      const insteadOf = await job.stored
      this.write(job, text, false)
      const where = insteadOf === undefined ? {} : { insteadOf }
      await session.append(session.wiring.service.dialect.hold([job.result]), { expectedHead: 'any', ...where })
    } catch {
      // Nobody is left to tell: the session says that the outcome is unknown, and that stays true.
    }
  }

  private answer(job: Job, text: string, why: ResultWhy, madeUp?: Cause): Promise<void> {
    const failed = why !== 'returned'
    this.write(job, text, failed, madeUp)
    job.event = { type: 'result', call: job.call, text, failed, why }
    return this.flush()
  }

  private write(job: Job, text: string, failed: boolean, madeUp?: Cause): void {
    job.result = resultFor(this.turn.session.wiring.service.dialect, job.part, text, failed)
    job.madeUp = madeUp
    job.state = 'answered'
  }

  /** Results without ids are paired by place: they are stored in the order of their calls. */
  private async flush(): Promise<void> {
    const isOpen = ({ state }: Job) => state !== 'answered' && state !== 'stored'
    const gap = this.ordered ? this.jobs.findIndex(isOpen) : -1
    const ready = (gap < 0 ? this.jobs : this.jobs.slice(0, gap)).filter(({ state }) => state === 'answered')
    await Promise.all(ready.map((job) => (job.stored = this.put(job))))
  }

  private async put(job: Job): Promise<number | undefined> {
    job.state = 'stored'
    const { session } = this.turn
    const made = job.madeUp ? { synthetic: [job.madeUp] } : {}
    const messages = session.wiring.service.dialect.hold([job.result])
    const { positions } = await session.append(messages, { expectedHead: 'any', ...made })
    if (job.event) this.turn.tell(job.event)
    return positions[0]
  }

  /** Says of each call without a result what is true of it if none comes, and which of them wait. */
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
