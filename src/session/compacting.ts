/**
 * A compaction of a session: planned for its view, committed as one record if that view still stands.
 * The log decides races: of two for one view the first counts, and the other changes nothing.
 */
import { apply, isSutureError } from '../core/index.ts'
import { checkValue } from '../core/options.ts'
import type { Summarise } from '../strategies/ask.ts'
import { Breaker } from '../strategies/compactor.ts'
import { noteReason } from '../strategies/outcome.ts'
import type { Plan, Reason } from '../strategies/plan-types.ts'
import { type Receipt, receiptOf } from '../strategies/receipt.ts'
import { decode } from './record.ts'
import type { Session } from './session.ts'
import { isSession } from './session-options.ts'
import type { View } from './view.ts'
import type { Appended } from './writing.ts'

export interface Compacting {
  /** What to do about the history that would be sent. */
  readonly plan: (history: readonly unknown[]) => Plan
  /** Asked where the plan needs a summary. */
  readonly summarise?: Summarise | undefined
  readonly breaker?: Breaker | undefined
  /** An abort before the record is written leaves everything as it was. */
  readonly signal?: AbortSignal | undefined
  /** The id under which the record is written; the view names it when absent, so that there is one for each view. */
  readonly operationId?: string | undefined
}

export interface SessionCompacted {
  /** A record was written. */
  readonly acts: boolean
  readonly why: readonly Reason[]
  /** Absent while another one is under way. */
  readonly plan?: Plan
  /** As it is kept in the log; only where a record was written. */
  readonly receipt?: Receipt
  readonly position?: number
  /** The compaction of this session that is under way in this process. */
  readonly running?: Promise<SessionCompacted>
}

const COMPACTION = 'compaction'
const breakers = new WeakMap<Session, Breaker>()

/** One at a time for a session. Who asks meanwhile, the summariser included, is told so at once and may await `running`. */
export async function compactView(session: Session, options: Compacting): Promise<SessionCompacted> {
  let mine = false
  const running = session.once(COMPACTION, () => {
    mine = true
    return run(session, options)
  })
  if (mine) return running
  const says = 'This session is being compacted already.'
  return { acts: false, why: [{ code: 'under-way', says }], running }
}

async function run(session: Session, options: Compacting): Promise<SessionCompacted> {
  await session.refresh()
  const view = await session.view()
  const plan = await finished(session, view, options)
  if (!plan.acts) return { acts: false, why: plan.why, plan }
  if (options.signal?.aborted) return without(plan, { code: 'aborted', says: 'It was aborted before it was written.' })
  const receipt = receiptOf(view.history, apply(view.history, plan.patch), plan)
  const written = await commit(session, view, plan, receipt, options.operationId)
  if (written) return { acts: true, why: plan.why, plan, receipt, position: written.head }
  return without(plan, { code: 'lost-race', says: 'Somebody else changed the session meanwhile: nothing was written.' })
}

function without(plan: Plan, why: Reason): SessionCompacted {
  return { acts: false, why: [...plan.why, why], plan }
}

/** The plan with its summary, if it needs one. A summary that fails changes nothing. */
async function finished(session: Session, view: View, options: Compacting): Promise<Plan> {
  const plan = options.plan(view.history)
  if (plan.needs === 'nothing' || !options.summarise) return plan
  const breaker = options.breaker ?? breakers.get(session) ?? new Breaker()
  breakers.set(session, breaker)
  const before = view.history.length
  const refused = breaker.refuses(session.id, before)
  if (refused) return noteReason(plan, refused)
  const done = await breaker.finish(session.id, plan, options.summarise, options.signal)
  if (done.acts) breaker.applied(session.id, before, apply(view.history, done.patch).length)
  return done
}

/** One record, or nothing where the view no longer stands. What was appended meanwhile stays behind it. */
async function commit(
  session: Session,
  { upTo, prefixHash }: View,
  { patch, why }: Plan,
  detail: Receipt,
  operationId = `${COMPACTION} ${upTo} ${prefixHash}`,
): Promise<Appended | undefined> {
  const said = why.map(({ says }) => says).join(' ')
  const write = () => session.replace(patch, { by: COMPACTION, why: said, upTo, prefixHash, operationId, detail })
  try {
    const written = await write()
    return written.again ? undefined : written
  } catch (error) {
    if (isSutureError(error, 'conflict')) return undefined
    if (!isSutureError(error, 'unknown-outcome')) throw error
    // Asked again under the same id: it is stored once, then or now, or another one of this view is.
    return write().catch((second: unknown) => {
      if (isSutureError(second, 'conflict')) return undefined
      throw second
    })
  }
}

/** A compaction as the log has it. */
export interface Logged {
  readonly position: number
  readonly why: string
  readonly receipt: Receipt
  readonly at?: string
  /** It was taken back. */
  readonly undone: boolean
}

/** Every compaction of the session with its receipt, oldest first. */
export async function compactionsOf(session: Session): Promise<readonly Logged[]> {
  checkValue('The session', session, isSession, 'Open one first: await openSession(store, id, { provider }).')
  const found: Logged[] = []
  for await (const { seq, kind, body } of session.records()) {
    const record = kind === 'patch' ? decode(body) : undefined
    const undoes = found.findIndex(({ position }) => position === record?.['undoes'])
    if (undoes >= 0) found[undoes] = { ...found[undoes]!, undone: true }
    else if (record?.['by'] === COMPACTION) found.push(loggedOf(seq, record))
  }
  return found
}

function loggedOf(position: number, { why, detail, at }: Readonly<Record<string, unknown>>): Logged {
  return {
    position,
    why: String(why),
    receipt: detail as Receipt,
    ...(typeof at === 'string' ? { at } : {}),
    undone: false,
  }
}
