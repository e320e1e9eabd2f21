/** The fields of a chat message, assembled from deltas. */
import { isObject, type JsonObject, own, put } from '../../core/json.ts'

/** Fields that are streamed in pieces. Other texts replace the text before. */
export const TEXTS: ReadonlySet<string> = new Set([
  'refusal',
  'reasoning',
  'reasoning_content',
  'reasoning_text',
  'thinking',
  'tool_plan',
])

/** Adds a field of a delta to the message. Null is dropped: some providers reject it in a history. */
export function addField(message: JsonObject, key: string, value: unknown): void {
  if (value === null || value === undefined) return
  const was = message[key]
  if (typeof value === 'string' && typeof was === 'string' && TEXTS.has(key)) put(message, key, was + value)
  else if (key === 'audio') put(message, key, audioOf(value, was))
  else if (key === 'reasoning_details' && Array.isArray(value)) put(message, key, withDetails(was, value))
  else if (Array.isArray(value) && Array.isArray(was)) put(message, key, [...was, ...value])
  else put(message, key, value)
}

// The API accepts only the id of its audio.
function audioOf(value: unknown, was: unknown): unknown {
  const id = own(value, 'id') ?? own(was, 'id')
  return id === undefined ? {} : { id }
}

/** OpenRouter: pieces of one detail have its type and index. An encrypted detail is not split. */
function withDetails(was: unknown, pieces: readonly unknown[]): readonly unknown[] {
  const details = Array.isArray(was) ? [...was] : []
  for (const piece of pieces) {
    const at = details.findLastIndex((one) => isPieceOf(piece, one))
    if (at < 0) details.push(piece)
    else details[at] = mergedDetail(details[at] as JsonObject, piece as JsonObject)
  }
  return details
}

function isPieceOf(piece: unknown, detail: unknown): boolean {
  if (!isObject(piece) || !isObject(detail) || piece['type'] !== detail['type']) return false
  return piece['type'] !== 'reasoning.encrypted' && piece['index'] === detail['index']
}

function mergedDetail(was: JsonObject, piece: JsonObject): JsonObject {
  const detail = { ...was }
  for (const key of Object.keys(piece)) {
    const value = piece[key]
    const text = key === 'text' || key === 'summary'
    if (text && typeof value === 'string' && typeof was[key] === 'string') put(detail, key, was[key] + value)
    else if (value !== null && value !== undefined) put(detail, key, value)
  }
  return detail
}

/** Adds pieces of content in parts, as Mistral sends reasoning: joins text and thinking, keeps others unchanged. */
export function addParts(parts: unknown[], pieces: readonly unknown[], whole: boolean): void {
  for (const piece of pieces) {
    const last = parts.at(-1)
    if (isEmptyText(piece)) continue
    if (whole || !isObject(piece) || !isObject(last) || piece['type'] !== last['type']) parts.push(piece)
    else if (piece['type'] === 'text') parts[parts.length - 1] = joinedText(last, piece)
    else if (piece['type'] === 'thinking') parts[parts.length - 1] = joinedThinking(last, piece)
    else parts.push(piece)
  }
}

function isEmptyText(piece: unknown): boolean {
  return isObject(piece) && piece['type'] === 'text' && piece['text'] === ''
}

function joinedText(was: JsonObject, piece: JsonObject): JsonObject {
  return { ...was, ...piece, text: textIn(was) + textIn(piece) }
}

function joinedThinking(was: JsonObject, piece: JsonObject): JsonObject {
  const inner: unknown[] = [...listOf(was['thinking'])]
  addParts(inner, listOf(piece['thinking']), false)
  return { ...was, ...piece, thinking: inner }
}

function textIn(piece: JsonObject): string {
  return typeof piece['text'] === 'string' ? piece['text'] : ''
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : typeof value === 'string' ? [{ type: 'text', text: value }] : []
}
