/**
 * Whether a history that a client sends is the one in the log. Clients give back what they got in words of their own: fields that say nothing are
 * dropped or added, blocks are split, JSON is written otherwise, ids of calls are renamed or invented. So what counts is who says what, calls
 * what and answers what, in which order.
 */
import { type Part, Transcript } from '../core/index.ts'
import type { LoggedMessage } from '../session/index.ts'

/** How far a list and a log go together. */
export interface Match {
  /** So many messages of the list are in the log. */
  readonly common: number
  /** So many messages of the log are in the list. */
  readonly logged: number
  /** All that the log has is in the list, as its beginning. */
  readonly whole: boolean
  /** Ids of calls that the client writes otherwise than the log; undefined: the log has none. */
  readonly ids: ReadonlyMap<string, string | undefined>
  /** Places in the log of optional messages that the list does not have. */
  readonly skipped: readonly number[]
}

/** What a message says. */
export interface MessageContent {
  /** Without how it is written; empty when it says nothing that a client has to keep. */
  readonly content: string
  /** Ids of its calls, in order. */
  readonly calls: readonly (string | undefined)[]
}

/** A message of the log, by what it says. */
export interface LoggedContent extends MessageContent {
  /** It was made up or broke off: a client need not have it. */
  readonly optional: boolean
}

export function match(entries: readonly LoggedMessage[], sent: Transcript): Match {
  const stored = new Transcript(
    entries.map(({ message }) => message),
    sent.dialect,
  )
  const logged = entries.map(({ synthetic, incomplete }, i) => ({
    ...contentAt(stored, i),
    optional: synthetic !== undefined || incomplete === true,
  }))
  return matchContents(logged, sent, contentAt)
}

const NOTHING: MessageContent = { content: '', calls: [] }

/** The same for a log that was read before; `read`: the content of a message, in the form that the log has. */
export function matchContents(
  entries: readonly LoggedContent[],
  sent: Transcript,
  read: (transcript: Transcript, message: number) => MessageContent,
): Match {
  const { history: list } = sent
  const ids = new Map<string, string | undefined>()
  const skipped: number[] = []
  let common = 0
  let logged = 0
  let next = list.length > 0 ? read(sent, 0) : NOTHING
  const step = () => {
    common++
    next = common < list.length ? read(sent, common) : NOTHING
  }
  while (logged < entries.length) {
    const entry = entries[logged]!
    while (common < list.length && entry.content !== '' && next.content === '') step()
    if (common < list.length && next.content === entry.content) {
      pair(next.calls, entry.calls, ids)
      step()
      // What says nothing the client need not have, either.
    } else if (entry.optional || entry.content === '') skipped.push(logged)
    else return { common, logged, whole: false, ids, skipped }
    logged++
  }
  return { common, logged, whole: true, ids, skipped }
}

/** Calls of one message belong together by their place. */
function pair(
  sent: MessageContent['calls'],
  logged: MessageContent['calls'],
  ids: Map<string, string | undefined>,
): void {
  sent.forEach((id, i) => {
    if (id === undefined) return
    if (id === logged[i]) ids.delete(id)
    else ids.set(id, logged[i])
  })
}

export function contentAt(transcript: Transcript, message: number): MessageContent {
  const role = transcript.role(message)
  let text = ''
  const content: unknown[] = []
  const calls: (string | undefined)[] = []
  for (const part of transcript.partsOf(message)) {
    if (part.kind === 'reasoning') continue
    if (part.kind === 'text') {
      text += String(part.body ?? '')
      continue
    }
    if (part.kind === 'call' && !part.server) calls.push(part.id)
    content.push(contentOf(part))
  }
  if (text === '' && content.length === 0) return NOTHING
  return { content: JSON.stringify([role, text, content]), calls }
}

function contentOf(part: Part): unknown {
  const { kind, id = '', name = '' } = part
  if (part.server) return [kind, id, name, kind === 'call' ? sorted(argumentsOf(part)) : bodyOf(part)]
  if (kind === 'call') return [kind, name, sorted(argumentsOf(part))]
  if (kind === 'result') return [kind, bodyOf(part)]
  return [kind, id, name, bodyOf(part)]
}

function argumentsOf({ body }: Part): unknown {
  if (typeof body !== 'string') return body ?? {}
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

function bodyOf({ kind, body, value }: Part): unknown {
  if (kind !== 'result') return sorted(value)
  const text = textIn(body)
  return text ?? sorted(body)
}

/** A result is a text, or a list of one: clients write both. */
function textIn(body: unknown): string | undefined {
  if (typeof body === 'string') return body
  if (!Array.isArray(body)) return undefined
  const texts = body.map((block) => (block as { text?: unknown } | null)?.text)
  return texts.every((text) => typeof text === 'string') ? texts.join('') : undefined
}

/** Keys in order, so that two ways of writing one thing are one. */
function sorted(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > 64) return value
  if (Array.isArray(value)) return value.map((one) => sorted(one, depth + 1))
  const keys = Object.keys(value).sort()
  return keys.map((key) => [key, sorted((value as Record<string, unknown>)[key], depth + 1)])
}
