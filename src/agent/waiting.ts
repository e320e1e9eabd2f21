/**
 * Calls that wait for a person, found again in the log: after hours, in another process, behind a compaction.
 */
import { isObject } from '../core/index.ts'
import type { Session } from '../session/index.ts'
import { type Job, jobsIn } from './calls.ts'

/** The calls of the last round that wait for approval. One that may have been started is not among them. */
export async function waitingIn(session: Session): Promise<readonly Job[]> {
  if (session.open.length === 0) return []
  const ids = new Set<unknown>()
  for await (const { kind, body } of session.records()) if (kind === 'mark') take(JSON.parse(body), ids)
  const open = new Set(session.open.map(({ id, name }) => id ?? name))
  const { dialect } = session.wiring.service
  const said = (await session.raw()) as readonly unknown[]
  const last = said.findLastIndex((message) => jobsIn(dialect, [message]).length > 0)
  let first = last
  // Where each call is a message of its own, a batch is several in a row.
  while (first > 0 && jobsIn(dialect, [said[first - 1]]).length > 0) first--
  const jobs = jobsIn(dialect, said.slice(first, last + 1))
  const waits = ({ call, part }: Job) => ids.has(call.id) && open.has(part.id ?? part.name)
  return jobs.filter(waits).map((job) => ({ ...job, state: 'waiting' }))
}

function take(mark: unknown, ids: Set<unknown>): void {
  const detail = isObject(mark) ? mark['detail'] : undefined
  if (!isObject(detail)) return
  for (const id of listOf(detail['waiting'])) ids.add(id)
  for (const id of listOf(detail['started'])) ids.delete(id)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
