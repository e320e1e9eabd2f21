/**
 * A session in a process of its own, which reads its commands line by line: for tests that kill it at any moment.
 * Each line in is `["open", address, id, options]` or `[operation, ...arguments]`; each line out `{ n, ok }` or `{ n,
 * error }`, in order.
 */

import { createInterface } from 'node:readline'
import { isSutureError } from '../src/index.ts'
import { openStore, type Session, type Store } from '../src/session.ts'
import { openSession } from './untyped-api.ts'

let store: Store | undefined
let session: Session | undefined
let n = 0

const own: Readonly<Record<string, (...values: never[]) => Promise<unknown>>> = {
  async open(
    address: string,
    id: string,
    { provider, ...options }: { provider: string; synchronous?: 'full' | 'normal' },
  ) {
    store = await openStore(address, options)
    session = await openSession(store, id, { provider })
    return { head: session.head, found: session.found }
  },
  /** A summary instead of the first messages of the view. */
  async squeeze(count: number, message: unknown, operationId: string) {
    const { history, upTo, prefixHash } = await session!.view()
    const patch = [{ op: 'splice', path: [], index: 0, remove: history.slice(0, count), insert: [message] }] as const
    return session!.replace(patch, { by: 'worker', why: 'asked for', upTo, prefixHash, operationId })
  },
  async fork(turn: number, id: string, operationId: string) {
    return { head: (await session!.fork(turn, id, { operationId })).head }
  },
  async close() {
    await store!.close()
  },
}

async function run([name, ...values]: [string, ...never[]]): Promise<unknown> {
  if (Object.hasOwn(own, name)) return own[name]!(...values)
  const method = (session as unknown as Record<string, (...values: never[]) => Promise<unknown>>)[name]
  return method!.apply(session, values)
}

for await (const line of createInterface({ input: process.stdin })) {
  const number = n++
  try {
    say({ n: number, ok: (await run(JSON.parse(line))) ?? null })
  } catch (error) {
    say({ n: number, error: isSutureError(error) ? error.code : 'untyped', message: String(error) })
  }
}

/** Written at once: what was acknowledged before a kill must have been received. */
function say(outcome: unknown): void {
  process.stdout.write(`${JSON.stringify(outcome)}\n`)
}
