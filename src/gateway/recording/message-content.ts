/**
 * What of a message counts when a client's history is compared with the log. Clients change what they got: they drop or
 * add empty fields, split blocks, format JSON differently, rename or invent call ids. So roles, texts, calls and
 * results count.
 */
import { createHash } from 'node:crypto'
import { type Part, type Transcript, wordOf } from '../../core/index.ts'

/** The content of a message. */
export interface MessageContent {
  /** Independent of formatting; empty if there is nothing that a client has to keep. */
  readonly content: string
  /** Ids of its calls, in order. */
  readonly calls: readonly (string | undefined)[]
}

const NOTHING: MessageContent = { content: '', calls: [] }

/** Calls of one message correspond by position: `ids` has the log's id for each that the client writes differently. */
export function pairCalls(
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
  const { cacheKey } = transcript.dialect
  for (const part of transcript.partsOf(message)) {
    if (part.kind === 'reasoning') continue
    if (part.kind === 'text') {
      text += wordOf(part.body ?? '')
      continue
    }
    if (part.kind === 'call' && !part.server) calls.push(part.id)
    content.push(contentOf(part, cacheKey))
  }
  if (text.trim() === '' && content.length === 0) return NOTHING
  return { content: JSON.stringify([role, text.trim(), content]), calls }
}

const LONG = 120

/** The content of a message in a short form. */
export function shortContent(transcript: Transcript, message: number): MessageContent {
  const { content, calls } = contentAt(transcript, message)
  if (content.length <= LONG) return { content, calls }
  return { content: createHash('sha256').update(content).digest('base64'), calls }
}

/** The texts of a message, one after the other. */
export function textAt(transcript: Transcript, message: number): string {
  return textsAt(transcript, message).join('')
}

/**
 * The texts of a message without what agents put around a prompt: elements such as
 * `<system-reminder>…</system-reminder>` before and after it, with a date or a list of files, which are others in the
 * next request. Empty for system messages.
 */
export function ownWordsAt(transcript: Transcript, message: number): string {
  if (transcript.role(message) === 'system') return ''
  return textsAt(transcript, message).map(withoutElements).join('\n').trim()
}

/** The words of a message, and everything else that it has besides texts. */
export function ownContentAt(transcript: Transcript, message: number): string {
  const others = transcript.partsOf(message).filter(({ kind }) => kind !== 'text' && kind !== 'reasoning')
  const words = ownWordsAt(transcript, message)
  if (words === '' && (others.length === 0 || transcript.role(message) === 'system')) return ''
  const { cacheKey } = transcript.dialect
  return JSON.stringify([transcript.role(message), words, others.map((part) => contentOf(part, cacheKey))])
}

function textsAt(transcript: Transcript, message: number): readonly string[] {
  return transcript.partsOf(message).flatMap(({ kind, body }) => (kind === 'text' ? [wordOf(body ?? '')] : []))
}

const OPENING = /^<([a-z][\w-]{0,60})(?:\s[^<>]{0,200})?>/i
/** Elements that some agents put around the prompt itself. */
const PROMPT = /^user[_-]?(?:query|input|request|message|prompt)$/i
const CLOSING = /<\/([a-z][\w-]{0,60})>$/i

function withoutElements(text: string): string {
  let rest = text.trim()
  for (let name = OPENING.exec(rest)?.[1]; name !== undefined; name = OPENING.exec(rest)?.[1]) {
    const end = rest.indexOf(`</${name}>`)
    if (end < 0 || PROMPT.test(name)) break
    rest = rest.slice(end + name.length + 3).trimStart()
  }
  for (let name = closingOf(rest); name !== undefined; name = closingOf(rest)) {
    const start = rest.lastIndexOf(`<${name}>`)
    if (start < 0 || PROMPT.test(name)) break
    rest = rest.slice(0, start).trimEnd()
  }
  return rest
}

/** Only the end of the text is read: the name of an element is short. */
function closingOf(text: string): string | undefined {
  return CLOSING.exec(text.slice(-64))?.[1]
}

/** `cacheKey`: cache marks move from request to request. */
function contentOf(part: Part, cacheKey: string | undefined): unknown {
  const { kind, id = '', name = '' } = part
  const body = () => (kind === 'result' ? resultOf(part.body, cacheKey) : sorted(part.value, cacheKey))
  if (part.server) return [kind, id, name, kind === 'call' ? sorted(argumentsOf(part)) : body()]
  if (kind === 'call') return [kind, name, sorted(argumentsOf(part))]
  return kind === 'result' ? [kind, body()] : [kind, id, name, body()]
}

function argumentsOf({ body }: Part): unknown {
  if (typeof body !== 'string') return body ?? {}
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** A result may be a text, or a list of texts: clients write both. */
function resultOf(body: unknown, cacheKey: string | undefined): unknown {
  if (typeof body === 'string') return body.trim()
  if (!Array.isArray(body)) return sorted(body, cacheKey)
  const texts = body.map((block) => (block as { text?: unknown } | null)?.text)
  return texts.every((text) => typeof text === 'string') ? texts.join('').trim() : sorted(body, cacheKey)
}

/** JSON with sorted keys, so that formatting does not matter. `cacheKey` and keys with null are left out if it is given. */
function sorted(value: unknown, cacheKey?: string, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > 64) return value
  if (Array.isArray(value)) return value.map((one) => sorted(one, cacheKey, depth + 1))
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  const counted = fields.filter(([key, field]) => cacheKey === undefined || (key !== cacheKey && field !== null))
  return counted.map(([key, field]) => [key, sorted(field, cacheKey, depth + 1)])
}
