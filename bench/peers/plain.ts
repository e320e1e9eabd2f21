/**
 * The histories that all peers are run on: OpenAI chat messages with text, calls and results, and nothing else. Every
 * peer's own types can express them, so that no peer is measured on a shape that it does not support.
 */

export interface PlainCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export type Plain =
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: readonly PlainCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

type Native = Readonly<Record<string, unknown>>

export function assistant(text: string | null, calls: readonly PlainCall[]): Plain {
  return { role: 'assistant', content: text || null, ...(calls.length > 0 ? { tool_calls: calls } : {}) }
}

export function call(id: string, name: string, args: unknown): PlainCall {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args ?? {}) } }
}

export function callsOf(message: Plain): readonly PlainCall[] {
  return message.role === 'assistant' ? (message.tool_calls ?? []) : []
}

export function argsOf({ function: { arguments: text } }: PlainCall): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>
}

/** The tool of each call id; of a reused id, the first. */
export function namesOf(history: readonly Plain[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const one of history.flatMap(callsOf)) if (!names.has(one.id)) names.set(one.id, one.function.name)
  return names
}

/** The plain form of recorded OpenAI chat messages. System messages and fields beyond the plain form are left out. */
export function plainOf(messages: readonly unknown[]): Plain[] {
  return messages.flatMap((message): Plain[] => {
    const { role, content, tool_calls: calls, tool_call_id: id } = message as Native
    const text = textOf(content)
    if (role === 'user') return [{ role, content: text }]
    if (role === 'tool') return [{ role, tool_call_id: String(id), content: text }]
    if (role !== 'assistant') return []
    const list = (Array.isArray(calls) ? calls : []) as PlainCall[]
    return [assistant(text, list.map(bareCall))]
  })
}

function bareCall({ id, function: { name, arguments: text } }: PlainCall): PlainCall {
  return { id, type: 'function', function: { name, arguments: text } }
}

export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: Native) => (typeof part['text'] === 'string' ? part['text'] : '')).join('\n')
}

/** Whether a corrupted history still has the plain form, so that a peer's types can hold it. */
export function isPlain(history: readonly unknown[]): history is readonly Plain[] {
  return history.every((message) => {
    if (typeof message !== 'object' || message === null) return false
    const { role, content, tool_calls: calls = [], tool_call_id: id, ...rest } = message as Native
    if (Object.keys(rest).length > 0) return false
    if (role === 'user') return typeof content === 'string'
    if (role === 'tool') return typeof content === 'string' && typeof id === 'string'
    const isText = typeof content === 'string' || content === null
    return role === 'assistant' && isText && Array.isArray(calls) && calls.every(isPlainCall)
  })
}

function isPlainCall(value: Partial<PlainCall>): boolean {
  const { id, type, function: made } = value
  if (typeof id !== 'string' || type !== 'function' || typeof made?.name !== 'string') return false
  try {
    const args: unknown = JSON.parse(made.arguments)
    return typeof args === 'object' && args !== null && !Array.isArray(args)
  } catch {
    return false
  }
}

/** The same history with ids that every provider accepts; equal ids stay equal. */
export function withShortIds(history: readonly Plain[]): Plain[] {
  const ids = new Map<string, string>()
  const short = (id: string) => {
    const known = ids.get(id) ?? `call${String(ids.size + 1).padStart(5, '0')}`
    ids.set(id, known)
    return known
  }
  return history.map((message) => {
    if (message.role === 'tool') return { ...message, tool_call_id: short(message.tool_call_id) }
    if (message.role !== 'assistant' || !message.tool_calls) return message
    return { ...message, tool_calls: message.tool_calls.map((one) => ({ ...one, id: short(one.id) })) }
  })
}
