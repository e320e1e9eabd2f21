/**
 * A request that belongs to a session. Recorded: the client sends all of its history, and the log follows. Kept: it sends only what is new, and the
 * log is the history. In both the prompt is logged before it is sent, and joins the conversation with the answer.
 */
import type { Compactor } from './api.ts'
import { checkedId } from './ids.ts'
import { keep } from './kept.ts'
import { type Guarded, parsedOf, throughGuard } from './pass.ts'
import { Problem } from './problem.ts'
import { record } from './recorded.ts'
import type { Sessions } from './sessions.ts'
import type { Outgoing } from './types.ts'

/** What a request says of its session; undefined: it has none. */
export interface Wish {
  /** `auto`: made from how the conversation begins. */
  readonly id: string
  readonly kept: boolean
}

export function wishOf({ incoming }: Guarded, derive: boolean): Wish | undefined {
  const id = incoming.headers.get('suture-session') ?? (derive ? 'auto' : undefined)
  const mode = incoming.headers.get('suture-mode')?.toLowerCase()
  if (mode !== undefined && mode !== 'append' && mode !== 'record' && mode !== 'pass')
    throw new Problem('bad-session', 'suture-mode is append, record or pass.')
  if (mode === 'pass') return undefined
  if (id === undefined) {
    if (mode === undefined) return undefined
    throw new Problem('bad-session', 'Name the session: give its id as the header suture-session.')
  }
  return { id: checkedId(id), kept: mode === 'append' }
}

export async function converse(
  guarded: Guarded,
  wish: Wish,
  sessions: Sessions,
  compactor: Compactor | undefined,
): Promise<Outgoing> {
  const { dialect } = guarded.endpoint.service
  const body = guarded.parsed ?? parsedOf(guarded.body)
  const list = body && listOf(body[dialect.key])
  if (wish.kept) {
    if (!body || !list || guarded.endpoint.opaque)
      throw new Problem('bad-session', `Nothing to append: the body has no ${dialect.key} that can be kept.`)
    return keep({ ...guarded, parsed: body }, wish, { sessions, compactor }, list)
  }
  if (!body || !list || guarded.endpoint.opaque) return throughGuard(guarded)
  return record({ ...guarded, parsed: body }, wish, sessions, list)
}

/** Responses take a plain text for a list of one. */
function listOf(value: unknown): readonly unknown[] | undefined {
  if (typeof value === 'string') return [{ role: 'user', content: value }]
  return Array.isArray(value) ? value : undefined
}
