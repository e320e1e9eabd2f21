/**
 * Compacts a session: the plan is made for its view and stored as one record if that view is still current.
 * If two processes compact the same view, the first record counts, and the second changes nothing.
 */
import { apply, isSutureError, wordOf } from '../core/index.ts'
import { checkValue } from '../core/options.ts'
import { cancelPlan } from '../strategies/assemble-plan.ts'
import { CircuitBreaker } from '../strategies/circuit-breaker.ts'
import type { Plan, Reason } from '../strategies/plan-types.ts'
import { type LoggedCompaction, type Receipt, receiptOf } from '../strategies/receipt.ts'
import type { Summarize } from '../strategies/summary-request.ts'
import type { Appended } from './append-records.ts'
import { decode } from './record.ts'
import type { Session } from './session.ts'
import { isSession } from './session-options.ts'
import type { View } from './view.ts'

export interface CompactViewOptions {
  /** Plans for the history that would be sent. */
  readonly plan: (history: readonly unknown[]) => Plan
  /** Called if the plan needs a summary. */
  readonly summarize?: Summarize | undefined
  readonly circuitBreaker?: CircuitBreaker | undefined
  /** Aborting before the record is written leaves the session unchanged. */
  readonly signal?: AbortSignal | undefined
  /** Default: derived from the view, so that there is one compaction per view. */
  readonly operationId?: string | undefined
}

/** What a compaction of a session did. */
export interface SessionCompacted<Message = unknown> {
  /** A record was written. */
  readonly changesAnything: boolean
  readonly why: readonly Reason[]
  /** Absent if another compaction is running. */
  readonly plan?: Plan<Message>
  /** As stored in the log; only if a record was written. */
  readonly receipt?: Receipt
  readonly position?: number
  /** The compaction of this session that is running in this process. */
  readonly running?: Promise<SessionCompacted<Message>>
}

const COMPACTION = 'compaction'
const breakers = new WeakMap<Session, CircuitBreaker>()

/** One compaction at a time per session. A second call meanwhile returns at once with `running`. */
export async function compactView(session: Session, options: CompactViewOptions): Promise<SessionCompacted> {
  let mine = false
  const running = session.once(COMPACTION, () => {
    mine = true
    return run(session, options)
  })
  if (mine) return running
  const message = 'This session is being compacted already.'
  return { changesAnything: false, why: [{ code: 'under-way', message }], running }
}

async function run(session: Session, options: CompactViewOptions): Promise<SessionCompacted> {
  await session.refresh()
  const view = await session.view()
  const plan = await finished(session, view, options)
  if (!plan.changesAnything) return { changesAnything: false, why: plan.why, plan }
  if (options.signal?.aborted)
    return unchanged(plan, { code: 'aborted', message: 'The compaction was aborted before it was written.' })
  const receipt = receiptOf(view.history, apply(view.history, plan.patch), plan)
  const written = await commit(session, view, plan, receipt, options.operationId)
  if (written) return { changesAnything: true, why: plan.why, plan, receipt, position: written.head }
  const message = 'Another writer changed the session during the compaction, so nothing was written.'
  return unchanged(plan, { code: 'lost-race', message })
}

function unchanged(plan: Plan, why: Reason): SessionCompacted {
  return { changesAnything: false, why: [...plan.why, why], plan }
}

/** The plan with its summary, if it needs one. A summary that fails changes nothing. */
async function finished(session: Session, view: View, options: CompactViewOptions): Promise<Plan> {
  const plan = options.plan(view.history)
  if (plan.needs === 'nothing' || !options.summarize) return plan
  const breaker = options.circuitBreaker ?? breakers.get(session) ?? new CircuitBreaker()
  breakers.set(session, breaker)
  const before = view.history.length
  const blocked = breaker.blocks(session.id, before)
  if (blocked) return cancelPlan(plan, blocked)
  const done = await breaker.finish(session.id, plan, options.summarize, options.signal)
  if (done.changesAnything) breaker.applied(session.id, before, apply(view.history, done.patch).length)
  return done
}

/** Writes one record, or nothing if the view is no longer current. Messages appended meanwhile follow it. */
async function commit(
  session: Session,
  { upTo, prefixHash }: View,
  { patch, why }: Plan,
  detail: Receipt,
  operationId = `${COMPACTION} ${upTo} ${prefixHash}`,
): Promise<Appended | undefined> {
  const reason = why.map(({ message }) => message).join(' ')
  const write = () => session.replace(patch, { by: COMPACTION, why: reason, upTo, prefixHash, operationId, detail })
  try {
    const written = await write()
    return written.again ? undefined : written
  } catch (error) {
    if (isSutureError(error, 'conflict')) return undefined
    if (!isSutureError(error, 'unknown-outcome')) throw error
    // Try again with the same id: it is stored at most once.
    return write().catch((second: unknown) => {
      if (isSutureError(second, 'conflict')) return undefined
      throw second
    })
  }
}

/** Every compaction of the session with its receipt, oldest first. */
export async function compactionsOf(session: Session): Promise<readonly LoggedCompaction[]> {
  checkValue('The session', session, isSession, 'Open one first: await openSession(store, id, { provider }).')
  const found: LoggedCompaction[] = []
  for await (const { seq, kind, body } of session.records()) {
    const record = kind === 'patch' ? decode(body) : undefined
    const undoes = found.findIndex(({ position }) => position === record?.['undoes'])
    if (undoes >= 0) found[undoes] = { ...found[undoes]!, undone: true }
    else if (record?.['by'] === COMPACTION) {
      const { why, detail, at } = record
      const time = typeof at === 'string' ? { at } : {}
      found.push({ position: seq, why: wordOf(why), receipt: detail as Receipt, ...time, undone: false })
    }
  }
  return found
}
