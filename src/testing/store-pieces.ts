/** Shared by the cases of the store suite. */
import { expect } from 'vitest'
import { isSutureError } from '../core/index.ts'
import { type Batch, type Draft, digestOf, type Entry, type Kind, type Store, sha256 } from '../session/index.ts'

/** How `testStore` opens the store that it tests. */
export interface StoreHarness {
  /** Opens a store on the same database each time: what one wrote, the next one sees. */
  open(): Store | Promise<Store>
  /** False if everything is lost when the store is closed. */
  readonly lasting?: boolean
}

let sessions = 0

/** Runs a test with a new session on a store that is closed afterward. */
export async function using(
  harness: StoreHarness,
  work: (store: Store, session: string) => Promise<void>,
): Promise<void> {
  const store = await harness.open()
  const session = `s${Date.now().toString(36)}-${process.pid}-${sessions++}`
  try {
    await work(store, session)
  } finally {
    await store.purge(session).catch(() => {})
    await store.close()
  }
}

export function batch(
  op: string,
  bodies: readonly string[],
  expectedHead: number | 'any' = 'any',
  kind: Kind = 'message',
): Batch {
  return {
    op,
    expectedHead,
    drafts: bodies.map((body): Draft => ({ kind, body, digest: digestOf(op, kind, body, sha256) })),
  }
}

export async function bodies(store: Store, session: string): Promise<string[]> {
  const { head } = await store.head(session)
  return (await store.read(session, 1, head)).map((entry) => entry.body)
}

/** The hash of each entry continues that of the entry before it, from the first one on. */
export function expectChain(entries: readonly Entry[]): void {
  let hash = ''
  for (const entry of entries) {
    hash = sha256(hash + digestOf(entry.op, entry.kind, entry.body, sha256))
    expect(entry.hash).toBe(hash)
  }
}

export async function code(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => (isSutureError(error) ? error.code : `not typed: ${String(error)}`),
  )
}
