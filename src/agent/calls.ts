/**
 * The calls of one answer: held against their tools, run side by side, each result stored as soon as it is there.
 * No call is ever started twice, and whatever stops a tool, the session knows what to say of it.
 */
import { type Cause, causeText, type Dialect, isObject, type Part } from '../core/index.ts'
import { resultFor } from '../dialects/requests.ts'
import type { Session } from '../session/index.ts'
import { check } from './schema.ts'
import type { Approval, Call, ResultWhy, Tool, TurnEvent, TurnOptions } from './types.ts'
import { denied, noTool, repeated, stable, textOf, threw, timedOut, wrongArguments } from './words.ts'

/** One call on its way to a result. */
export interface Job {
  readonly call: Call
  readonly part: Part
  tool?: Tool
  input?: unknown
  state: 'new' | 'waiting' | 'running' | 'answered'
  result?: unknown
}

const PARALLEL = 4
const TIMEOUT = 120_000
const SAME = 3
const STOPPED = Symbol('stopped')

/** The calls in these messages that a client answers. */
export function jobsIn(dialect: Dialect, messages: readonly unknown[]): Job[] {
  const parts: Part[] = []
  messages.forEach((message, i) => void dialect.read(message, i, parts))
  const calls = parts.filter((part) => part.kind === 'call' && !part.server)
  return calls.map((part, n) => {
    const name = part.name ?? ''
    return { call: { id: part.id ?? `${name}#${n + 1}`, name, arguments: parsed(part.body) }, part, state: 'new' }
  })
}

export class Calls {
  /** Tools that were told to stop and may still bring a result. */
  readonly late: Promise<void>[] = []
  private readonly session: Session
  private readonly options: TurnOptions
  private readonly signal: AbortSignal
  private readonly tell: (event: TurnEvent) => void
  private readonly same = { key: '', count: 0 }

  constructor(session: Session, options: TurnOptions, signal: AbortSignal, tell: (event: TurnEvent) => void) {
    this.session = session
    this.options = options
    this.signal = signal
    this.tell = tell
  }

  /** Runs what may run. Then each call is answered, waits for a person, or was stopped by the abort. */
  async run(jobs: readonly Job[], approvals?: Readonly<Record<string, Approval>>): Promise<void> {
    for (const job of jobs) {
      if (this.signal.aborted) return
      await this.screen(job, jobs, approvals)
    }
    const todo = jobs.filter((job) => job.state === 'new')
    if (approvals) await this.started(todo)
    const lane = async () => {
      for (let job = todo.shift(); job && !this.signal.aborted; job = todo.shift()) await this.one(job, jobs)
    }
    await Promise.all(Array.from({ length: this.options.parallel ?? PARALLEL }, lane))
  }

  /** Answers a call without running it. */
  answer(job: Job, jobs: readonly Job[], text: string, why: ResultWhy): Promise<void> {
    return this.store(job, jobs, text, why !== 'returned', why)
  }

  /** Tells the session what to say of the calls that an abort left without a result. */
  async abandon(jobs: readonly Job[]): Promise<void> {
    const open = jobs.filter((job) => job.result === undefined)
    const causeOf = ({ state }: Job): Cause => (state === 'running' ? 'aborted-while-running' : 'aborted-before-start')
    const entries = open.map((job) => [job.part.id ?? '', causeOf(job)] as const)
    await this.session.abort({ cause: 'aborted-before-start', calls: Object.fromEntries(entries) })
    if (!isOrdered(jobs)) return
    for (const job of open) job.result = this.write(job, causeText(causeOf(job)), true)
    await this.flush(jobs)
  }

  /** Decides what needs no tool: calls that cannot be run, that repeat, that are denied, that wait. */
  private async screen(job: Job, jobs: readonly Job[], approvals?: Readonly<Record<string, Approval>>): Promise<void> {
    const { call } = job
    const again = job.state === 'waiting'
    job.state = 'new'
    if (!again) this.tell({ type: 'call', call })
    const tool = this.options.tools?.find(({ name }) => name === call.name)
    if (!tool) return this.answer(job, jobs, noTool(call.name, this.options.tools ?? []), 'no-such-tool')
    const checked = await this.checked(tool, call)
    if ('wrong' in checked) return this.answer(job, jobs, wrongArguments(call.name, checked.wrong), 'arguments')
    if (!again && this.repeats(call)) return this.answer(job, jobs, repeated(call.name, this.same.count), 'repeated')
    Object.assign(job, { tool, input: checked.value })
    const approval = await this.approval(job, jobs, approvals)
    if (approval === undefined) {
      job.state = 'waiting'
      if (!again) this.tell({ type: 'waiting', call })
    } else if (approval !== true) {
      await this.answer(job, jobs, denied(approval === false ? undefined : approval.deny), 'denied')
    }
  }

  private async checked(tool: Tool, call: Call) {
    if (!isObject(call.arguments)) return { wrong: ['the arguments: must be a JSON object'] }
    try {
      return await check(tool.parameters, call.arguments)
    } catch (error) {
      return { wrong: [`the arguments: could not be checked (${String(error)})`] }
    }
  }

  private async approval(
    job: Job,
    jobs: readonly Job[],
    given?: Readonly<Record<string, Approval>>,
  ): Promise<Approval | undefined> {
    const { approval } = job.tool!
    // Paired by place: behind a call that waits nothing can be answered yet.
    if (isOrdered(jobs) && jobs.slice(0, jobs.indexOf(job)).some(({ state }) => state === 'waiting')) return undefined
    const needs = typeof approval === 'function' ? await approval(job.input) : approval === true
    if (!needs) return true
    return given && Object.hasOwn(given, job.call.id) ? given[job.call.id] : this.options.approve?.(job.call)
  }

  private repeats({ name, arguments: input }: Call): boolean {
    const most = this.options.sameCalls ?? SAME
    const key = `${name} ${stable(input)}`
    this.same.count = key === this.same.key ? this.same.count + 1 : 1
    this.same.key = key
    return most > 1 && this.same.count >= most
  }

  /** From here on a call that was allowed may have had an effect, and a crash must not say otherwise. */
  private async started(jobs: readonly Job[]): Promise<void> {
    const calls = Object.fromEntries(jobs.map(({ call }) => [call.id, 'crashed'] as const))
    if (jobs.length > 0)
      await this.session.abort({
        cause: isOrdered(jobs) ? 'crashed' : 'aborted-before-start',
        calls,
        detail: { started: Object.keys(calls) },
      })
  }

  private async one(job: Job, jobs: readonly Job[]): Promise<void> {
    const { call, tool, input } = job
    job.state = 'running'
    const time = new AbortController()
    const timer = setTimeout(() => time.abort(timedOut(call.name)), tool!.timeout ?? this.options.timeout ?? TIMEOUT)
    const signal = AbortSignal.any([this.signal, time.signal])
    const stopped = new Promise<typeof STOPPED>((resolve) => {
      signal.addEventListener('abort', () => resolve(STOPPED), { once: true })
    })
    const progress = (detail: unknown) => this.tell({ type: 'progress', call, detail })
    const run = async () => textOf(await tool!.run(input, { id: call.id, name: call.name, signal, progress }))
    const ran = run().then(
      (text) => ({ text, failed: false }),
      (error) => ({ text: threw(call.name, error), failed: true }),
    )
    const first = await Promise.race([ran, stopped])
    clearTimeout(timer)
    if (first !== STOPPED) return this.store(job, jobs, first.text, first.failed, first.failed ? 'threw' : 'returned')
    this.late.push(ran.then((result) => this.came(job, jobs, result)))
    if (!this.signal.aborted) await this.store(job, jobs, causeText('aborted-while-running'), true, 'timed-out')
  }

  /** A result that came too late stands in place of what was said without it. A tool that only says that it stopped brings none. */
  private async came(
    job: Job,
    jobs: readonly Job[],
    { text, failed }: { text: string; failed: boolean },
  ): Promise<void> {
    if (failed || isOrdered(jobs)) return
    const { dialect } = this.session.wiring.service
    const messages = dialect.hold([this.write(job, text, false)])
    // Nobody is left to tell: the session says that the outcome is unknown, and that stays true.
    await this.session.append(messages, { expectedHead: 'any' }).catch(() => {})
  }

  private async store(job: Job, jobs: readonly Job[], text: string, failed: boolean, why: ResultWhy): Promise<void> {
    job.result = this.write(job, text, failed)
    if (isOrdered(jobs)) await this.flush(jobs)
    else await this.put([job])
    this.tell({ type: 'result', call: job.call, text, failed, why })
  }

  /** Results without ids are paired by place: they are stored in the order of their calls. */
  private async flush(jobs: readonly Job[]): Promise<void> {
    const first = jobs.findIndex(({ state }) => state !== 'answered')
    const open = first < 0 ? [] : jobs.slice(first)
    const gap = open.findIndex(({ result }) => result === undefined)
    await this.put(gap < 0 ? open : open.slice(0, gap))
  }

  private async put(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) job.state = 'answered'
    const { dialect } = this.session.wiring.service
    if (jobs.length > 0)
      await this.session.append(dialect.hold(jobs.map(({ result }) => result)), { expectedHead: 'any' })
  }

  private write(job: Job, text: string, failed: boolean): unknown {
    return resultFor(this.session.wiring.service.dialect, job.part, text, failed)
  }
}

function isOrdered(jobs: readonly Job[]): boolean {
  return jobs.some(({ part }) => part.id === undefined)
}

function parsed(body: unknown): unknown {
  if (typeof body !== 'string') return body ?? {}
  try {
    return body.trim() === '' ? {} : JSON.parse(body)
  } catch {
    return undefined
  }
}
