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

/** A message of the log, by what it says. */
export interface Logged {
  readonly essence: string
  /** It was made up or broke off: a client need not have it. */
  readonly optional: boolean
}

export function match(entries: readonly Said[], list: readonly unknown[], dialect: Dialect): Match {
  const logged = entries.map(({ message, synthetic, incomplete }) => ({
    essence: essence(message, dialect),
    optional: synthetic !== undefined || incomplete === true,
  }))
  return matched(logged, list, (message) => essence(message, dialect))
}

/** The same with the log read already; `read` says of a message of the list what the log says of its own. */
export function matched(
  entries: readonly Logged[],
  list: readonly unknown[],
  read: (message: unknown) => string,
): Match {
  let common = 0
  let logged = 0
  let next = list.length > 0 ? read(list[0]) : ''
  const step = () => {
    common++
    next = common < list.length ? read(list[common]) : ''
  }
  while (logged < entries.length) {
    const { essence: said, optional } = entries[logged]!
    while (common < list.length && said !== '' && next === '') step()
    if (common < list.length && next === said) step()
    // What says nothing the client need not have, either.
    else if (!optional && said !== '') return { common, logged, whole: false }
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
