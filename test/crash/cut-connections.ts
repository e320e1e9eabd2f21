/**
 * Row 5: the connection is cut around the commit, and the append asked for again under its id: stored exactly once,
 * where it was first.
 */
import pg from 'pg'
import { isSutureError } from '../../src/core/index.ts'
import { openSession, type Store } from '../../src/session.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { below, type Outcome, randomOf, Tally } from './matrix-row.ts'
import { type Cut, type CuttingProxy, startProxy } from './proxy.ts'
import { everything } from './validity.ts'

const about = {
  row: 5,
  title: 'connection cut around COMMIT, retried under the same operationId',
  mode: 'synchronous_commit on',
}
const kinds: readonly Cut[] = ['before', 'after', 'answered', 'answered']

export async function cutRow(options: {
  readonly cuts: number
  readonly seed: number
  readonly url: string
  readonly engine: string
}): Promise<Outcome> {
  const tally = new Tally()
  const proxy = await startProxy(options.url)
  const random = randomOf(options.seed)
  proxy.cut = () => (random() < 0.6 ? kinds[below(random, kinds.length)] : undefined)
  const pool = new pg.Pool({ connectionString: proxy.url, max: 4 }).on('error', () => {})
  const straight = new pg.Pool({ connectionString: options.url, max: 1 })
  try {
    // Half of the sessions by statements with names, which a new connection does not know yet.
    const stores = await Promise.all([true, false].map((prepare) => postgresStore(pool, { prepare })))
    const done = () => total(proxy) >= options.cuts
    const sessions = Array.from({ length: 4 }, (_, i) => `cut-${options.seed}-${i}`)
    const acknowledged = await Promise.all(sessions.map((id, i) => retrying(stores[i % 2]!, id, done)))
    const judge = await postgresStore(straight)
    for (const [i, id] of sessions.entries()) await exactlyOnce(judge, id, acknowledged[i]!, tally)
  } finally {
    await pool.end().catch(() => {})
    await straight.end()
    await proxy.close()
  }
  tally.tried = total(proxy)
  const { before, after, answered } = proxy.cuts
  const notes = `seed ${options.seed}; cut before it was sent on ${before}, right after ${after}, with the answer on its way ${answered}`
  return tally.outcome({ ...about, engine: options.engine, notes })
}

function total({ cuts }: CuttingProxy): number {
  return cuts.before + cuts.after + cuts.answered
}

/** So many operations later one is asked for again. */
const LATER = 24

/** Appends until there were cuts enough; each is asked for until an answer comes, and once more long after. */
export async function retrying(
  store: Store,
  id: string,
  done: () => boolean,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const acknowledged = new Map<string, readonly number[]>()
  const session = await patient(() => openSession(store, id, { provider: 'openai', snapshotEvery: 1_000_000 }))
  const ask = async (i: number) => {
    const op = `${id}.${i}`
    const messages = [`${op} a`, `${op} b`].slice(0, 1 + (i % 2)).map((content) => ({ role: 'user', content }))
    const { positions } = await patient(() => session.append(messages, { operationId: op, expectedHead: 'any' }))
    return acknowledged.set(op, positions)
  }
  for (let i = 0; !done(); i++) {
    await ask(i)
    if (i >= LATER && i % 4 === 0) await ask(i - LATER)
  }
  return acknowledged
}

async function patient<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 40; ; left--) {
    try {
      return await work()
    } catch (error) {
      const unsure = isSutureError(error, 'unknown-outcome') || isSutureError(error, 'store-failed')
      if (!unsure || left === 0) throw error
    }
  }
}

export async function exactlyOnce(
  store: Store,
  id: string,
  acknowledged: ReadonlyMap<string, readonly number[]>,
  tally: Tally,
): Promise<void> {
  const found = new Map<string, number[]>()
  for (const { op: stored, seq } of await everything(store, id)) {
    // A planted store appends a number: still the same operation.
    const op = stored.replace(/#\d+$/, '')
    found.set(op, [...(found.get(op) ?? []), seq])
  }
  for (const [op, positions] of acknowledged) {
    const stored = found.get(op) ?? []
    if (stored.length < positions.length)
      tally.lose(positions.length - stored.length, `${op} was acknowledged at ${positions} and is at ${stored}`)
    else if (String(stored) !== String(positions))
      tally.spoil(`${op} was acknowledged at ${positions} and is at ${stored}`)
  }
  for (const op of found.keys()) if (!acknowledged.has(op)) tally.spoil(`${op} is stored, and not acknowledged`)
}
