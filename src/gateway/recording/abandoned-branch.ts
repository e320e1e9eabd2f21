/**
 * Compares the end of the log with a client's next request: a partial answer that the client did not keep, and results
 * of calls in a branch that the client has left.
 */
import { type Part, type Patch, Transcript } from '../../core/index.ts'
import type { LoggedMessage, Session } from '../../session/index.ts'
import type { SentConversation } from './branches.ts'
import { contentAt } from './message-content.ts'
import { withLogIds } from './restore-ids.ts'

/** Removes partial answers from the view; they stay in the log. `skipped`: what the client does not have. */
export async function closePartial(session: Session, skipped: readonly LoggedMessage[]): Promise<void> {
  const partial = new Set(skipped.filter(({ incomplete }) => incomplete).map(({ position }) => position))
  if (partial.size === 0) return
  const { history, base, upTo, prefixHash } = await session.view()
  const gone = base.filter(({ seq }) => partial.has(seq)).map(({ message }) => message)
  const patch: Patch = history
    .flatMap((message, index) => (gone.includes(message) ? [{ index, message }] : []))
    .reverse()
    .map(({ index, message }) => ({ op: 'splice', path: [], index, remove: [message], insert: [] }))
  const why = 'The response was cut off, and the client did not keep the partial response.'
  await session.replace(patch, { by: 'gateway', why, upTo, prefixHash })
}

/** Stores results for calls that are open in the branch that the client leaves: it should not end in an open call. */
export async function giveResults(session: Session, { list, endpoint }: SentConversation): Promise<void> {
  if (session.open.length === 0) return
  const { dialect } = endpoint.service
  const logged = new Transcript(await session.raw(), dialect)
  const sent = new Transcript(list, dialect)
  const last = logged.calls.at(-1)?.message ?? logged.history.length - 1
  const { content, calls } = contentAt(logged, last)
  const at = list.findLastIndex((_, i) => contentAt(sent, i).content === content)
  if (at < 0) return
  const own = sent.calls.filter((call) => call.message === at)
  const ids = new Map(own.flatMap(({ id }, i) => (id === undefined ? [] : [[id, calls[i]] as const])))
  const results = resultsAfter(sent, at, ids)
  if (results.length > 0) await session.append(withLogIds(results, ids, dialect))
}

/** Messages after `at` that hold only results of these calls: by id, or without one directly after the calls. */
function resultsAfter(transcript: Transcript, at: number, ids: ReadonlyMap<string, unknown>): readonly unknown[] {
  let isNext = true
  return transcript.history.slice(at + 1).filter((_, i) => {
    const parts = transcript.partsOf(at + 1 + i)
    const isResult = ({ kind, id }: Part) => kind === 'result' && (id === undefined ? isNext : ids.has(id))
    const found = parts.length > 0 && parts.every(isResult)
    isNext &&= found
    return found
  })
}
