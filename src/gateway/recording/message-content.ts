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

export const NOTHING: MessageContent = { content: '', calls: [] }

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
  return JSON.stringify([transcript.role(message), words, others.map(contentOf)])
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
