/**
 * What a client's next request says about what the log ends with: a partial answer that it did not keep, and results of calls in a branch that it
 * has left.
 */
import type { Dialect, Part, Patch } from '../core/index.ts'
import type { Said, Session } from '../session/index.ts'
import type { Given } from './branches.ts'
import { essenceOf } from './match.ts'
import { withLogIds } from './renamed.ts'

/** Takes partial answers out of what would be sent; they stay in the log. `skipped`: messages of the log that the client does not have. */
export async function closePartial(session: Session, skipped: readonly Said[]): Promise<void> {
  const partial = new Set(skipped.filter(({ incomplete }) => incomplete).map(({ position }) => position))
  if (partial.size === 0) return
  const { history, base, upTo, prefixHash } = await session.view()
  const gone = base.filter(({ seq }) => partial.has(seq)).map(({ message }) => message)
  const patch: Patch = history
    .flatMap((message, index) => (gone.includes(message) ? [{ index, message }] : []))
    .reverse()
    .map(({ index, message }) => ({ op: 'splice', path: [], index, remove: [message], insert: [] }))
  const why = 'The answer broke off, and the client did not keep what came of it.'
  await session.replace(patch, { by: 'gateway', why, upTo, prefixHash })
}

/** Results that the history has for calls that are open in the branch it leaves: without them the branch would end in a call whose result is unknown. */
export async function giveResults(session: Session, { list, endpoint }: Given): Promise<void> {
  if (session.open.length === 0) return
  const { dialect } = endpoint.service
  const last = (await session.raw()).findLast((message) => callsIn(message, dialect).length > 0)
  const { essence, calls } = essenceOf(last, dialect)
  const at = list.findLastIndex((message) => essenceOf(message, dialect).essence === essence)
  if (at < 0) return
  const sent = callsIn(list[at], dialect)
  const ids = new Map(sent.flatMap(({ id }, i) => (id === undefined ? [] : [[id, calls[i]] as const])))
  const results = resultsIn(list.slice(at + 1), ids, dialect)
  if (results.length > 0) await session.append(withLogIds(results, ids, dialect))
}

function callsIn(message: unknown, dialect: Dialect): readonly Part[] {
  return partsOf(message, dialect).filter(({ kind, server }) => kind === 'call' && !server)
}

/** Messages that hold nothing but results of these calls: by their id, or without one right behind the calls. */
function resultsIn(
  messages: readonly unknown[],
  ids: ReadonlyMap<string, unknown>,
  dialect: Dialect,
): readonly unknown[] {
  let isNext = true
  return messages.filter((message) => {
    const parts = partsOf(message, dialect)
    const isResult = ({ kind, id }: Part) => kind === 'result' && (id === undefined ? isNext : ids.has(id))
    const found = parts.length > 0 && parts.every(isResult)
    isNext &&= found
    return found
  })
}

function partsOf(message: unknown, dialect: Dialect): readonly Part[] {
  const parts: Part[] = []
  dialect.read(message, 0, parts)
  return parts
}
