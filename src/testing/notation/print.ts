import { type Dialect, isObject, orUndefined, own, type Part, type Role, readMessage } from '../../core/index.ts'
import { isReserved, shown } from './grammar.ts'

/**
 * Prints a history in notation, read through its dialect: for messages of failing tests, and for the docs. Accepts
 * anything: what the notation cannot express is shown as text between angle brackets.
 */
export function printHistory(history: unknown, dialect: Dialect): string {
  const messages = Array.isArray(history) ? history : own(history, dialect.key)
  if (!Array.isArray(messages)) return '<no history>'
  const lines: { role: string; pieces: string[] }[] = []
  for (let i = 0; i < messages.length; i++) {
    const { role: readAs, parts } = readMessage(messages[i], dialect, i)
    const role = roleName(readAs, parts)
    const pieces = isEmpty(parts) ? [] : parts.map((part) => printPart(part, dialect))
    const last = lines.at(-1)
    if (last && joins(last.role, role, pieces, dialect)) last.pieces.push(...pieces)
    else lines.push({ role, pieces: isObject(messages[i]) ? pieces : [`<${describe(messages[i])}>`] })
  }
  return lines.map(({ role, pieces }) => `${role}: ${pieces.join(' | ') || 'empty'}`).join('\n')
}

/** Results that are messages of their own share a line, and so do the items of one answer. */
function joins(before: string, role: string, pieces: readonly string[], dialect: Dialect): boolean {
  if (before !== role || pieces.length === 0) return false
  return (role === 'tool' && dialect.blocks === undefined) || (role === 'assistant' && dialect.items === true)
}

/** An empty string instead of a list counts as an empty list. */
function isEmpty([part, ...more]: readonly Part[]): boolean {
  return part?.kind === 'text' && part.index < 0 && part.body === '' && more.length === 0
}

function roleName(role: Role, parts: readonly Part[]): string {
  return role === 'user' && parts.length > 0 && parts.every((part) => part.kind === 'result') ? 'tool' : role
}

function printPart(part: Part, dialect: Dialect): string {
  switch (part.kind) {
    case 'text':
      return printText(part.body)
    case 'reasoning':
      return join([part.signature === undefined ? 'think' : 'think!', textOf(part.body)])
    case 'call':
      return join([callWord(part), word(part.id, part, 'id'), word(part.name, part, 'name'), args(part.body)])
    case 'result':
      return join([resultWord(part), word(part.id, part, 'id'), shown(contentOf(part, dialect))])
    case 'media':
      return 'image'
    case 'opaque':
      return `<${shown(part.type)}>`
  }
}

function printText(body: unknown): string {
  if (typeof body !== 'string') return `<text ${describe(body)}>`
  if (body === ' ') return 'blank'
  return isReserved(body) ? join(['text', shown(body)]) : shown(body)
}

function callWord(part: Part): string {
  return part.server ? 'server' : part.signature === undefined ? 'call' : 'call!'
}

function resultWord(part: Part): string {
  return part.server ? 'served' : part.failed ? 'failed' : 'result'
}

/** Part fields do not distinguish empty from absent; the native value does. */
function word(value: string | undefined, part: Part, key: 'id' | 'name'): string {
  if (value !== undefined) return shown(value).replaceAll(' ', '\\s')
  return hasEmpty(part.value, key) ? '""' : '-'
}

function hasEmpty(value: unknown, key: 'id' | 'name', depth = 0): boolean {
  if (!isObject(value) || depth > 1) return false
  return Object.keys(value).some(
    (name) => (value[name] === '' && name.toLowerCase().endsWith(key)) || hasEmpty(value[name], key, depth + 1),
  )
}

function args(body: unknown): string {
  const text = typeof body === 'string' ? body : json(body)
  return text === '{}' ? '' : text.replaceAll('\n', ' ').replace(/(?<!\S)\|(?!\S)/g, '\\u007c')
}

function contentOf(part: Part, dialect: Dialect): string {
  const title = part.server && Array.isArray(part.body) ? own(part.body[0], 'title') : undefined
  if (typeof title === 'string') return title
  const { text, media } = dialect.content(part)
  return text + media.map(() => ' <image>').join('')
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return shown(body)
  const parts = Array.isArray(body) ? body.map((one) => own(one, 'text') ?? one) : [body]
  return parts
    .map((one) => (typeof one === 'string' ? shown(one) : one === undefined ? '' : shown(json(one))))
    .join('\\n')
}

function describe(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
}

function json(value: unknown): string {
  return orUndefined(() => JSON.stringify(value) ?? '') ?? '<not JSON>'
}

function join(words: readonly string[]): string {
  return words.filter((one, i) => i === 0 || one !== '').join(' ')
}
