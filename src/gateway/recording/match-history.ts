/**
 * Compares a history that a client sends with the log. Clients change what they got: they drop or add empty fields, split blocks, format
 * JSON differently, rename or invent call ids. So roles, texts, calls and results are compared, in order.
 */
import { type Part, Transcript, wordOf } from '../../core/index.ts'
import type { LoggedMessage } from '../../session/index.ts'

/** How far a list and a log agree. */
export interface Match {
  /** Number of messages of the list that are in the log. */
  readonly common: number
  /** Number of messages of the log that are in the list. */
  readonly logged: number
  /** The whole log is in the list, as its beginning. */
  readonly whole: boolean
  /** Call ids that the client writes differently; undefined: the log has none. */
  readonly ids: ReadonlyMap<string, string | undefined>
  /** Positions in the log of optional messages that the list does not have. */
  readonly skipped: readonly number[]
}

/** The content of a message. */
export interface MessageContent {
  /** Independent of formatting; empty if there is nothing that a client has to keep. */
  readonly content: string
  /** Ids of its calls, in order. */
  readonly calls: readonly (string | undefined)[]
}

/** The content of a message of the log. */
export interface LoggedContent extends MessageContent {
  /** The message is synthetic or incomplete: a client need not have it. */
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

/** The same for a log that was read before; `read` returns the content of a message in the form of the log. */
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

/** Calls of one message correspond by position. */
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
      text += wordOf(part.body ?? '')
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

/** A result may be a text, or a list with one text: clients write both. */
function textIn(body: unknown): string | undefined {
  if (typeof body === 'string') return body
  if (!Array.isArray(body)) return undefined
  const texts = body.map((block) => (block as { text?: unknown } | null)?.text)
  return texts.every((text) => typeof text === 'string') ? texts.join('') : undefined
}

/** JSON with sorted keys, so that formatting does not matter. */
function sorted(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > 64) return value
  if (Array.isArray(value)) return value.map((one) => sorted(one, depth + 1))
  const keys = Object.keys(value).sort()
  return keys.map((key) => [key, sorted((value as Record<string, unknown>)[key], depth + 1)])
}
