/**
 * Whether a history that a client sends is the one in the log. Clients give back what they got in words of their own: fields that say nothing are
 * dropped or added, blocks are split, JSON is written otherwise. So what counts is who says what, calls what and answers what.
 */
import type { Dialect, Part } from '../core/index.ts'
import type { Said } from '../session/index.ts'

/** How far a list and a log go together. */
export interface Match {
  /** So many messages of the list are in the log. */
  readonly common: number
  /** So many messages of the log are in the list. */
  readonly logged: number
  /** All that the log has is in the list, as its beginning. */
  readonly whole: boolean
}

export function match(entries: readonly Said[], list: readonly unknown[], dialect: Dialect): Match {
  let common = 0
  let logged = 0
  while (logged < entries.length) {
    const entry = entries[logged]!
    const said = essence(entry.message, dialect)
    while (common < list.length && said !== '' && essence(list[common], dialect) === '') common++
    if (common < list.length && essence(list[common], dialect) === said) common++
    // What was made up or broke off, and what says nothing, the client need not have.
    else if (!entry.synthetic && !entry.incomplete && said !== '') return { common, logged, whole: false }
    logged++
  }
  return { common, logged, whole: true }
}

/** What a message says, without how it is written; empty when it says nothing that a client has to keep. */
export function essence(message: unknown, dialect: Dialect): string {
  const parts: Part[] = []
  const role = dialect.read(message, 0, parts)
  let text = ''
  const said: unknown[] = []
  for (const part of parts) {
    if (part.kind === 'reasoning') continue
    if (part.kind === 'text') {
      text += String(part.body ?? '')
      continue
    }
    said.push([
      part.kind,
      part.id ?? '',
      part.name ?? '',
      part.kind === 'call' ? sorted(argumentsOf(part)) : bodyOf(part),
    ])
  }
  if (text === '' && said.length === 0) return ''
  return JSON.stringify([role, text, said])
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
