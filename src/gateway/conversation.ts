/**
 * A request that belongs to a session. Recorded: the client sends all of its history, and the log follows. Kept: it sends only what is new, and the
 * log is the history. In both the prompt is logged before it is sent, and joins the conversation with the answer.
 */
import { modeOf } from '../guard/core.ts'
import type { Compactor } from './api.ts'
import { isKnownEncoding } from './body.ts'
import type { Heads } from './headers.ts'
import { checkedId } from './ids.ts'
import { keep } from './kept.ts'
import { type Asking, type Guarded, parsedOf } from './pass.ts'
import { Problem } from './problem.ts'
import { record } from './recorded.ts'
import type { Sessions } from './sessions.ts'
import type { Incoming, Outgoing } from './types.ts'
import { unrecorded } from './unrecorded.ts'

/** What a request says of its session; undefined: it has none. */
export interface Wish {
  /** `auto`: made from how the conversation begins. */
  readonly id: string
  readonly kept: boolean
}

export function wishOf({ headers }: Incoming, derive: boolean): Wish | undefined {
  const id = headers.get('suture-session') ?? (derive ? 'auto' : undefined)
  const mode = modeIn(headers)
  if (mode === 'pass') return undefined
  if (id === undefined) {
    if (mode === undefined) return undefined
    throw new Problem('bad-session', 'Name the session: give its id as the header suture-session.')
  }
  return { id: checkedId(id), kept: mode === 'append' }
}

function modeIn(headers: Heads): 'append' | 'record' | 'pass' | undefined {
  const mode = headers.get('suture-mode')?.toLowerCase()
  if (mode === undefined || mode === 'append' || mode === 'record' || mode === 'pass') return mode
  throw new Problem('bad-session', 'suture-mode is append, record or pass.')
}

/** Methods of requests without messages: they are forwarded in every mode. */
const WITHOUT_MESSAGES: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS'])

/**
 * Checks a request that is about to be forwarded unread. One that asks for append mode holds only the newest messages:
 * forwarded as it is, it would be answered without its conversation.
 */
export function checkUnread({ incoming, settings, visit }: Asking, derive: boolean): void {
  const { method, headers } = incoming
  if (WITHOUT_MESSAGES.has(method)) return
  const off = modeOf(headers.get('suture'), settings) === 'off'
  const encoding = headers.get('content-encoding')
  const unread = encoding !== undefined && !isKnownEncoding(encoding)
  if (modeIn(headers) === 'append') {
    if (off)
      throw new Problem('bad-session', 'Append mode needs the guard: remove `suture: off`, or send the whole history.')
    if (unread)
      throw new Problem(
        'unknown-encoding',
        'Append mode has to read the body: send it plain or with gzip, deflate or br.',
      )
    throw new Problem('bad-session', 'Append mode needs an endpoint with a message history; this one has none.')
  }
  const recorded = derive || headers.get('suture-session') !== undefined
  if (recorded && (off || unread)) visit.unrecorded(off ? 'off' : 'unknown-encoding')
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
    checkKept(guarded, body)
    return keep({ ...guarded, parsed: body }, wish, { sessions, compactor }, list)
  }
  if (!body || !list || guarded.endpoint.opaque) return unrecorded(guarded, 'no-history')
  return record({ ...guarded, parsed: body }, wish, sessions, list)
}

/** Rejects a request whose history cannot be put before it. */
function checkKept({ incoming }: Guarded, body: Readonly<Record<string, unknown>>): void {
  if (incoming.headers.get('authorization')?.startsWith('AWS4-'))
    throw new Problem('bad-session', 'Append mode changes the body, and this request is signed: use a Bedrock API key.')
  const held = ['previous_response_id', 'conversation'].find((name) => (body[name] ?? null) !== null)
  if (held !== undefined)
    throw new Problem('bad-session', `In append mode the gateway holds the conversation: remove \`${held}\`.`)
}

/** Responses take a plain text for a list of one. */
function listOf(value: unknown): readonly unknown[] | undefined {
  if (typeof value === 'string') return [{ role: 'user', content: value }]
  return Array.isArray(value) ? value : undefined
}
