/**
 * A store whose calls end in time. A database that hangs must not hold requests: each call fails after the deadline,
 * and while a call is overdue the next ones wait only briefly.
 */
import { SutureError } from '../../core/index.ts'
import { within } from '../../guard/transport.ts'
import type { Store } from '../../session/index.ts'

/** Milliseconds that a call may take while an earlier one is overdue. */
const BRIEF = 250

/** One wrapper per store and deadline: turns of a session wait for each other by the identity of their store. */
const wrapped = new WeakMap<Store, Map<number, Store>>()

/** The store with a deadline for each call, in milliseconds; 0: none. */
export function withDeadline(store: Store, milliseconds: number): Store {
  if (milliseconds <= 0) return store
  const known = wrapped.get(store) ?? new Map<number, Store>()
  wrapped.set(store, known)
  const timed = known.get(milliseconds) ?? timedStore(store, milliseconds)
  known.set(milliseconds, timed)
  return timed
}

function timedStore(store: Store, milliseconds: number): Store {
  /** Calls that are overdue; a success of any call clears them. */
  const overdue = new Set<symbol>()
  /** `op`: the operation of a write; its outcome is unknown if the write is late. */
  const timed = async <T>(what: string, work: Promise<T>, op?: string): Promise<T> => {
    const limit = overdue.size > 0 ? Math.min(BRIEF, milliseconds) : milliseconds
    const call = Symbol(what)
    const late = () => {
      overdue.add(call)
      work.then(
        () => overdue.clear(),
        () => overdue.delete(call),
      )
      throw lateError(store.name, what, limit, op)
    }
    const value = await within(limit, work, late)
    overdue.clear()
    return value
  }
  return {
    name: store.name,
    ...(store.sha256 ? { sha256: (text) => store.sha256!(text) } : {}),
    head: (session) => timed('read', store.head(session)),
    append: (session, batch) => timed('append', store.append(session, batch), batch.op),
    find: (session, op) => timed('read', store.find(session, op)),
    read: (session, from, to) => timed('read', store.read(session, from, to)),
    lineage: (session) => timed('read', store.lineage(session)),
    claim: (session, owner, options) => timed('claim', store.claim(session, owner, options), ''),
    release: (session, epoch) => timed('release', store.release(session, epoch), ''),
    purge: (session) => timed('purge', store.purge(session), ''),
    list: (after, limit) => timed('list', store.list(after, limit)),
    close: () => store.close(),
  }
}

function lateError(store: string, what: string, milliseconds: number, op: string | undefined): SutureError {
  const text = `${store} did not ${what} within ${milliseconds} ms.`
  const detail = { store, milliseconds }
  if (op === undefined) return new SutureError('store-failed', `${text} Try again when it answers.`, detail)
  return new SutureError('unknown-outcome', `${text} It may or may not be stored: send the request again.`, {
    ...detail,
    operationId: op,
  })
}
