/**
 * Sends a request of a session through the guard, and stores its reply before the end of the response reaches the
 * client. Recording never stops a request: what cannot be recorded is forwarded, and the log line and a response header
 * report it.
 */
import { isSutureError } from '../../core/index.ts'
import { type ByteSource, levelOf, type Settings, within } from '../../guard/transport.ts'
import { GatewayError, gatewayErrorOf } from '../gateway-error.ts'
import { type GuardedRequest, throughGuard } from '../guarded-request.ts'
import type { RequestLog } from '../observation/index.ts'
import type { Incoming, Outgoing } from '../types.ts'
import type { ReplyWriter } from './reply-writer.ts'

/** A request whose body was read. */
export type ParsedRequest = GuardedRequest & { readonly parsed: Record<string, unknown> }

/** Forwards a request without recording it: the client's next request brings the same history again. */
export async function unrecorded(guarded: GuardedRequest, code: string): Promise<Outgoing> {
  guarded.log.unrecorded(code)
  const out = await throughGuard(guarded)
  out.headers.push(...warningOf(code))
  return out
}

/** The response header with the reason why nothing was recorded. */
function warningOf(code: string): readonly [string, string] {
  return ['suture-warning', `not-recorded; code=${code}`]
}

/** `must`: if storing fails, the request fails. */
export async function sendAndStore(
  guarded: GuardedRequest,
  writer: ReplyWriter,
  must: boolean,
  turn = () => {},
): Promise<Outgoing> {
  const { write, warn, warnings } = storing(guarded.log, writer, must, turn)
  let out: Outgoing
  try {
    const incoming = withHeaders(guarded.incoming, (name) => name === 'suture')
    out = await throughGuard({ ...guarded, incoming }, readingOf(guarded, writer))
  } catch (error) {
    await write(0).catch(() => {})
    throw error
  }
  const { body, status } = out
  if (must && out.unread) {
    if (body && !(body instanceof Uint8Array)) body.cancel()
    await write(0).catch(() => {})
    throw new GatewayError(
      'answer-too-large',
      'The response is too large to store. Request less, or raise `limits.maxResponseBytes`.',
    )
  }
  out.headers.push('suture-session', writer.id)
  if (writer.branch !== undefined) out.headers.push('suture-branch', writer.branch)
  if (out.unread && status === 200) warn('answer-too-large')
  if (body === undefined || body instanceof Uint8Array || status !== 200) {
    await write(status)
    out.headers.push(...warnings)
    return out
  }
  out.headers.push(...warnings)
  return { ...out, body: storeBeforeEnd(body, () => write(status)) }
}

/** Settings with which the reply is assembled for the log. */
function readingOf({ incoming, settings }: GuardedRequest, writer: ReplyWriter): Settings {
  const level = levelOf(incoming.headers.get('suture'), settings)
  return {
    ...settings,
    level: 'recover',
    // Replies are read at this level only. If the caller did not ask for recoveries, there are none.
    maxAttempts: level === 'recover' ? settings.maxAttempts : 1,
    onReply: (reply) => {
      writer.reply = reply
    },
  }
}

/** Writes a reply to its session. If it is optional, a failure becomes a warning. */
function storing(log: RequestLog, writer: ReplyWriter, must: boolean, turn: () => void) {
  const warnings: string[] = []
  const warn = (code: string) => {
    log.unrecorded(code)
    warnings.push(...warningOf(code))
  }
  const write = async (status: number) => {
    try {
      await writer.write(status)
      log.wrote('done')
      log.note('session', writer.id)
      if (writer.branch !== undefined) log.note('branch', writer.branch)
    } catch (error) {
      log.wrote(isSutureError(error, 'conflict') ? 'conflict' : 'failed')
      const { code } = gatewayErrorOf(error)
      log.failed('session', code)
      if (must) throw error
      warn(code)
    } finally {
      turn()
    }
  }
  return { write, warn, warnings }
}

/** Bytes after the end of a reply that are held back at most. */
const MOST_HELD = 1024 * 1024
/** Milliseconds that an upstream may keep the connection open after the end of its reply. */
const LONGEST_TAIL = 2_000

/** Holds back the end of a reply until it is stored: a client that has seen the end can rely on it. */
function storeBeforeEnd(source: ByteSource, stored: () => Promise<void>): ByteSource {
  let ended = false
  const next = () =>
    source.read().catch(async (error: unknown) => {
      await stored().catch(() => {})
      throw error
    })
  const rest = async (first: Uint8Array | undefined): Promise<Uint8Array | undefined> => {
    const held: Uint8Array[] = []
    let size = 0
    let piece = first
    for (; piece && size < MOST_HELD; piece = await within(LONGEST_TAIL, next(), () => void source.cancel())) {
      held.push(piece)
      size += piece.length
    }
    if (piece) held.push(piece)
    else {
      ended = true
      await stored()
    }
    return held.length > 0 ? Buffer.concat(held) : undefined
  }
  return {
    async read() {
      if (ended) return undefined
      const piece = await next()
      return piece && !source.closed?.() ? piece : rest(piece)
    },
    cancel(reason) {
      source.cancel(reason)
      stored().catch(() => {})
    },
  }
}

/** The request without some of its headers. */
export function withHeaders({ method, target, headers, signal }: Incoming, drops: (name: string) => boolean): Incoming {
  // The body has been read already.
  return { method, target, headers: headers.without(drops), signal, body: () => Promise.resolve(Buffer.alloc(0)) }
}

/** The model that a request names. */
export function modelIn({ endpoint, parsed }: GuardedRequest): string | undefined {
  const model = endpoint.model ?? parsed?.['model']
  return typeof model === 'string' ? model : undefined
}
