/**
 * One of several processes that write to one session at the same time. Waits for the start signal, then appends and
 * reads, and prints at the end what it saw.
 */
import { writeSync } from 'node:fs'
import { isSutureError } from '../../src/core/index.ts'
import { openSession, type Store } from '../../src/session.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import type { Event } from './checker.ts'
import { load, openFile } from './drivers.ts'
import { below, randomOf } from './matrix-row.ts'
import { sequenceLog } from './sequence.ts'

export interface Writing {
  /** `sqlite:<file>`, `postgres://…`, or `sequence:postgres://…`, the negative control. */
  readonly address: string
  readonly session: string
  readonly writer: number
  readonly appends: number
  readonly seed: number
}

/** As much as a writer needs: the real thing, or the control. */
export interface SharedLog {
  append(op: string, count: number): Promise<{ first: number; last: number; expected?: number }>
  look(): Promise<{ head: number; tail: readonly (readonly [number, string])[] }>
  all(): Promise<readonly (readonly [number, string])[]>
  close(): Promise<void>
}

export async function openLog(address: string, session: string): Promise<SharedLog> {
  if (address.startsWith('sequence:')) return sequenceLog(address.slice('sequence:'.length))
  const store = await storeAt(address)
  return logOn(store, session)
}

async function storeAt(address: string): Promise<Store> {
  if (address.startsWith('sqlite:')) return openFile({ file: address.slice('sqlite:'.length) })
  const { Pool } = load<typeof import('pg')>('pg')
  return postgresStore(new Pool({ connectionString: address, max: 1 }))
}

async function logOn(store: Store, id: string): Promise<SharedLog> {
  const session = await openSession(store, id, { provider: 'openai', snapshotEvery: 1_000_000 })
  return {
    append: async (op, count) => {
      const messages = Array.from({ length: count }, (_, i) => ({ role: 'user', content: `${op} ${i}` }))
      // One in ten appends expects a certain head, and is tried again after reading.
      for (let tries = 0; ; tries++) {
        const exact = op.endsWith('3') && tries < 4
        const expected = exact ? await session.refresh() : undefined
        try {
          const { positions } = await session.append(messages, { operationId: op, expectedHead: expected ?? 'any' })
          return { first: positions[0]!, last: positions.at(-1)!, ...(exact ? { expected: expected! } : {}) }
        } catch (error) {
          if (!isSutureError(error, 'conflict')) throw error
        }
      }
    },
    look: async () => {
      const { head } = await store.head(id)
      const entries = head === 0 ? [] : await store.read(id, Math.max(1, head - 40), head)
      return { head, tail: entries.map(({ seq, op }) => [seq, op] as const) }
    },
    all: async () => {
      const { head } = await store.head(id)
      return (await store.read(id, 1, head)).map(({ seq, op }) => [seq, op] as const)
    },
    close: () => store.close(),
  }
}

const now = () => Number(process.hrtime.bigint() / 1000n) / 1000

export async function write(
  log: SharedLog,
  { writer, appends, seed }: Pick<Writing, 'writer' | 'appends' | 'seed'>,
): Promise<Event[]> {
  const random = randomOf(seed * 31 + writer)
  const events: Event[] = []
  for (let i = 0; i < appends; i++) {
    const op = `w${writer}.${i}`
    const begun = now()
    const { first, last, expected } = await log.append(op, 1 + below(random, 3))
    events.push({
      kind: 'append',
      op,
      first,
      last,
      begun,
      ended: now(),
      ...(expected === undefined ? {} : { expected }),
    })
    if (random() > 0.3) continue
    const from = now()
    const seen = await log.look()
    events.push({ kind: 'look', ...seen, begun: from, ended: now() })
  }
  return events
}

async function main(task: Writing): Promise<void> {
  const log = await openLog(task.address, task.session)
  writeSync(1, 'ready\n')
  await new Promise((go) => process.stdin.once('data', go))
  const events = await write(log, task)
  await log.close()
  const text = `${JSON.stringify(events)}\n`
  await new Promise((done) => process.stdout.write(text, done))
  process.exit(0)
}

if (process.argv[2]?.startsWith('{"address"')) await main(JSON.parse(process.argv[2]) as Writing)
