/**
 * A request that belongs to a session. Record mode: the client sends its whole history, and the log follows. Append
 * mode: it sends only new messages, and the log is the history. In both modes the prompt is stored before it is sent,
 * and joins the conversation with the reply.
 */
import { isTooDeep } from '../../core/index.ts'
import { historyIn, levelOf, storedConversationKey } from '../../guard/transport.ts'
import type { Compactor } from '../api.ts'
import { GatewayError } from '../gateway-error.ts'
import { type AdmittedRequest, type GuardedRequest, parsedOf } from '../guarded-request.ts'
import { type HeaderList, isKnownEncoding } from '../http/index.ts'
import type { Incoming, Outgoing } from '../types.ts'
import { handleAppend } from './append-mode.ts'
import { handleRecord } from './record-mode.ts'
import { checkedId } from './session-ids.ts'
import type { Sessions } from './sessions.ts'
import { unrecorded } from './store-reply.ts'

/** What a request asks of its session; undefined: it has none. */
export interface SessionRequest {
  /** `auto`: derived from the beginning of the conversation. */
  readonly id: string
  readonly append: boolean
}

export function sessionRequestOf({ headers }: Incoming, derive: boolean): SessionRequest | undefined {
  const id = headers.get('suture-session') ?? (derive ? 'auto' : undefined)
  const mode = modeIn(headers)
  if (mode === 'pass') return undefined
  if (id === undefined) {
    if (mode === undefined) return undefined
    throw new GatewayError(
      'bad-session',
      'The header suture-mode needs a session: send its id in the header suture-session.',
    )
  }
  return { id: checkedId(id), append: mode === 'append' }
}

function modeIn(headers: HeaderList): 'append' | 'record' | 'pass' | undefined {
  const mode = headers.get('suture-mode')?.toLowerCase()
  if (mode === undefined || mode === 'append' || mode === 'record' || mode === 'pass') return mode
  throw new GatewayError('bad-session', 'suture-mode must be append, record or pass.')
}

/** Methods of requests without messages: they are forwarded in every mode. */
const WITHOUT_MESSAGES: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS'])

/**
 * Checks a request that is about to be forwarded unread. A request in append mode has only the newest messages:
 * forwarded unchanged, it would be answered without its conversation.
 */
export function checkUnread({ incoming, settings, log }: AdmittedRequest, derive: boolean): void {
  const { method, headers } = incoming
  if (WITHOUT_MESSAGES.has(method)) return
  const off = levelOf(headers.get('suture'), settings) === 'off'
  const encoding = headers.get('content-encoding')
  const unread = encoding !== undefined && !isKnownEncoding(encoding)
  if (modeIn(headers) === 'append') {
    if (off)
      throw new GatewayError(
        'bad-session',
        'Append mode needs the guard: remove `suture: off`, or send the whole history.',
      )
    if (unread)
      throw new GatewayError(
        'unknown-encoding',
        'Append mode must read the body: send it uncompressed or with gzip, deflate or br.',
      )
    throw new GatewayError('bad-session', 'Append mode needs an endpoint with a message history; this one has none.')
  }
  const recorded = derive || headers.get('suture-session') !== undefined
  if (recorded && (off || unread)) log.unrecorded(off ? 'off' : 'unknown-encoding')
}

export async function handleSessionRequest(
  guarded: GuardedRequest,
  wanted: SessionRequest,
  sessions: Sessions,
  compactor: Compactor | undefined,
): Promise<Outgoing> {
  const { dialect } = guarded.endpoint.service
  const body = guarded.parsed ?? parsedOf(guarded.body, guarded)
  const list = body && !isTooDeep(body) ? historyIn(body, dialect) : undefined
  if (wanted.append) {
    if (!body || !list || guarded.endpoint.opaque)
      throw new GatewayError('bad-session', `Nothing to append: the body has no ${dialect.key} that can be stored.`)
    checkKept(guarded, body)
    return handleAppend({ ...guarded, parsed: body }, wanted, { sessions, compactor }, list)
  }
  if (!body || !list || guarded.endpoint.opaque) return unrecorded(guarded, 'no-history')
  return handleRecord({ ...guarded, parsed: body }, wanted, sessions, list)
}

/** Rejects a request whose history cannot be added. */
function checkKept({ incoming }: GuardedRequest, body: Readonly<Record<string, unknown>>): void {
  if (incoming.headers.get('authorization')?.startsWith('AWS4-'))
    throw new GatewayError(
      'bad-session',
      'Append mode changes the body, and this request is signed: use a Bedrock API key.',
    )
  const held = storedConversationKey(body)
  if (held !== undefined)
    throw new GatewayError('bad-session', `In append mode the gateway holds the conversation: remove \`${held}\`.`)
}
