/**
 * Every operation of a session on a store whose nth statement fails, for n = 1, 2, 3 … until none does:
 * memory stays as it was, the error has the true one as its cause, and the same operation asked for again is stored
 * once.
 */
import { describe, expect, it } from 'vitest'
import { openSession, type Session, type Store } from '../src/session.ts'
import type { SqliteHandle } from '../src/stores/sqlite.ts'

export const INJECTED = 'injected failure'

/** A store of which the nth statement from now on fails: before it is done, or after. */
export interface FaultyStore {
  readonly store: Store
  arm(n: number, after: boolean): void
  disarm(): void
}

/** Counts statements down to the one that fails. */
export class Fuse {
  private left = Number.POSITIVE_INFINITY
  private after = false
  private readonly error: () => Error

  constructor(code: string) {
    this.error = () => Object.assign(new Error(INJECTED), { code })
  }

  arm(n: number, after: boolean): void {
    this.left = n
    this.after = after
  }

  disarm(): void {
    this.left = Number.POSITIVE_INFINITY
  }

  run<T>(work: () => T): T {
    const fails = --this.left === 0
    if (fails && !this.after) throw this.error()
    const outcome = work()
    if (fails) throw this.error()
    return outcome
  }
}

/** A handle that runs each of its statements through a fuse. */
export function fused(db: SqliteHandle, fuse: Fuse): SqliteHandle {
  const guarded =
    <A extends unknown[], R>(work: (...values: A) => R) =>
    (...values: A): R =>
      fuse.run(() => work(...values))
  return {
    exec: guarded((sql: string) => db.exec(sql)),
    prepare: (sql) => {
      const statement = db.prepare(sql)
      return {
        run: guarded((...values: unknown[]) => statement.run(...values)),
        get: guarded((...values: unknown[]) => statement.get(...values)),
        all: guarded((...values: unknown[]) => statement.all(...values)),
      }
    },
    close: () => db.close(),
    get inTransaction() {
      return db.inTransaction ?? db.isTransaction ?? false
    },
  }
}

const options = { provider: 'openai' } as const
const user = (content: string) => ({ role: 'user', content })
const assistant = (content: string) => ({ role: 'assistant', content })
const call = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
}

interface Operation {
  readonly first?: (session: Session) => Promise<unknown>
  readonly run: (session: Session, operationId: string) => Promise<unknown>
  /** It is stored under its id; not all are. */
  readonly named?: false
}

const seen = new WeakMap<Session, { history: readonly unknown[]; upTo: number; prefixHash: string }>()
const propose = (session: Session) => session.append([user('new')], { proposed: true, operationId: 'p' })

const operations: Readonly<Record<string, Operation>> = {
  append: { run: (session, operationId) => session.append([user('new'), assistant('yes')], { operationId }) },
  'append that fills a group of operations': {
    first: (session) => session.append(Array.from({ length: 26 }, (_, i) => user(`${i}`))),
    run: (session, operationId) => session.append([user('31'), assistant('33')], { operationId }),
  },
  'append that closes a call': { run: (session, operationId) => session.append([user('on')], { operationId }) },
  revert: { run: (session, operationId) => session.revert(2, { operationId }) },
  undo: { first: (session) => session.revert(2), run: (session, operationId) => session.undo({ operationId }) },
  abort: { run: (session, operationId) => session.abort({ operationId }) },
  propose: { run: (session, operationId) => session.append([user('new')], { operationId, proposed: true }) },
  accept: {
    first: propose,
    run: (session, operationId) => session.append([assistant('yes')], { operationId, accept: 'p' }),
  },
  reject: { first: propose, run: (session) => session.reject('p', 'rejected'), named: false },
  fork: { run: (session, operationId) => session.fork(1, `${session.id}-branch`, { operationId }) },
  replace: {
    first: async (session) => seen.set(session, await session.view()),
    run: (session, operationId) => {
      const { history, upTo, prefixHash } = seen.get(session)!
      const remove = history.slice(0, 2)
      const patch = [{ op: 'splice', path: [], index: 0, remove, insert: [user('summary')] }] as const
      return session.replace(patch, { by: 't', why: 't', upTo, prefixHash, operationId })
    },
  },
  claim: { run: (session) => session.claim('me'), named: false },
  release: { first: (session) => session.claim('me'), run: (session) => session.release(), named: false },
  forget: { run: (session) => session.forget(), named: false },
}

/** Declares the tests; `make` gives a store on a database of its own, or one on which others have sessions, too. */
export function everyStatementFails(make: () => Promise<FaultyStore>): void {
  describe.each([
    ['fails', false],
    ['fails after it was done', true],
  ])('every statement %s once', (_how, after) => {
    it.each(Object.keys(operations))('%s', async (name) => {
      let n = 1
      while (await oneFault(await make(), operations[name]!, `${name}-${after}-${n}`, n, after)) n++
      expect(n).toBeGreaterThan(1)
    })
  })
}

/** Whether there was a statement to fail. */
async function oneFault(
  faulty: FaultyStore,
  { first, run, named }: Operation,
  id: string,
  n: number,
  after: boolean,
): Promise<boolean> {
  const { store } = faulty
  const session = await openSession(store, id, options)
  await session.append([user('one'), assistant('1')])
  await session.append([user('two'), call])
  await first?.(session)
  const memory = async () => JSON.stringify([session.head, session.open, await session.raw(), await session.history()])
  const before = await memory()
  faulty.arm(n, after)
  const failure = await run(session, 'x').then(
    () => undefined,
    (error: { code: string; cause?: Error }) => error,
  )
  faulty.disarm()
  if (failure) {
    expect(['store-failed', 'unknown-outcome']).toContain(failure.code)
    expect(failure.cause?.message).toBe(INJECTED)
    expect(await memory()).toBe(before)
    await run(session, 'x')
    await run(session, 'x')
    await checkStored(store, id, named !== false)
  }
  await store.close()
  return failure !== undefined
}

async function checkStored(store: Store, id: string, named: boolean): Promise<void> {
  const ids = (await store.list('', 10_000)).filter((one) => one === id || one === `${id}-branch`)
  let found = 0
  for (const one of ids) {
    const reader = await openSession(store, one, options)
    expect(await reader.verify()).toMatchObject({ valid: true })
    found += (await store.read(one, 1, 99)).filter((entry) => entry.op === 'x' && entry.part === 0).length
  }
  if (named) expect(found).toBe(1)
}
