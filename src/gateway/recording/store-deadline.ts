/**
 * A store whose calls end in time. A database that hangs must not hold requests: each call fails after the deadline,
 * and while a call is overdue the next ones wait only briefly.
 */
import { SutureError } from '../../core/index.ts'
import { within } from '../../guard/transport.ts'
import type { Answer, Batch, Entry, Head, Store } from '../../session/index.ts'

/** Milliseconds that a call may take while an earlier one is overdue. */
const BRIEF = 250

/** One wrapper per store and deadline: turns of a session wait for each other by the identity of their store. */
const wrapped = new WeakMap<Store, Map<number, Store>>()

/** The store with a deadline for each call, in milliseconds; 0: none. */
export function withDeadline(store: Store, milliseconds: number): Store {
  if (milliseconds <= 0) return store
  let known = wrapped.get(store)
  if (!known) {
    known = new Map()
    wrapped.set(store, known)
  }
  let timed = known.get(milliseconds)
  if (!timed) {
    timed = new TimedStore(store, milliseconds)
    known.set(milliseconds, timed)
  }
  return timed
}

class TimedStore implements Store {
  readonly name: string
  readonly sha256?: (text: string) => string
  private readonly store: Store
  private readonly milliseconds: number
  /** Calls that are overdue; a success of any call clears them. */
  private readonly overdue = new Set<symbol>()

  constructor(store: Store, milliseconds: number) {
    this.name = store.name
    this.store = store
    this.milliseconds = milliseconds
    if (store.sha256) this.sha256 = (text) => store.sha256!(text)
  }

  head(session: string): Promise<Head> {
    return this.timed('read', this.store.head(session))
  }

  append(session: string, batch: Batch): Promise<Answer> {
    return this.timed('append', this.store.append(session, batch), batch.op)
  }

  find(session: string, op: string): Promise<Answer | undefined> {
    return this.timed('read', this.store.find(session, op))
  }

  read(session: string, from: number, to: number): Promise<readonly Entry[]> {
    return this.timed('read', this.store.read(session, from, to))
  }

  claim(session: string, owner: string, options: { readonly takeOver: boolean }): Promise<Head> {
    return this.timed('claim', this.store.claim(session, owner, options), '')
  }

  release(session: string, epoch: number): Promise<void> {
    return this.timed('release', this.store.release(session, epoch), '')
  }

  purge(session: string): Promise<void> {
    return this.timed('purge', this.store.purge(session), '')
  }

  list(after: string, limit: number): Promise<readonly string[]> {
    return this.timed('list', this.store.list(after, limit))
  }

  close(): Promise<void> {
    return this.store.close()
  }

  /** `op`: the operation of a write; its outcome is unknown if the write is late. */
  private async timed<T>(what: string, work: Promise<T>, op?: string): Promise<T> {
    const limit = this.overdue.size > 0 ? Math.min(BRIEF, this.milliseconds) : this.milliseconds
    const call = Symbol(what)
    const late = () => {
      this.overdue.add(call)
      work.then(
        () => this.overdue.clear(),
        () => this.overdue.delete(call),
      )
      throw lateError(this.name, what, limit, op)
    }
    const value = await within(limit, work, late)
    this.overdue.clear()
    return value
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
