/**
 * Gemini's parts: those of a stream joined where that loses nothing, and which of them may stand in a history.
 */
import { isObject, type JsonObject, own, put } from '../../core/json.ts'
import { textOf } from '../blocks.ts'
import { type Calls, sort } from './calls.ts'

/**
 * Adds a part. Pieces of plain text become one, and of thought likewise.
 * A part with a signature stays by itself, also an empty one: Google forbids to join it with others
 * (doc: ai.google.dev/gemini-api/docs/thought-signatures).
 */
export function addPart(parts: JsonObject[], part: JsonObject, whole: boolean): void {
  const { text } = part
  const last = parts.at(-1)
  if (typeof text !== 'string' || !isPlain(part)) parts.push(part)
  else if (!whole && last && isPlain(last) && last['thought'] === part['thought']) {
    put(last, 'text', `${last['text']}${text}`)
  } else if (text !== '') parts.push({ ...part })
}

/** Text, or thought, and nothing else about it. */
function isPlain(part: JsonObject): boolean {
  if (typeof part['text'] !== 'string') return false
  for (const key in part) if (key !== 'text' && key !== 'thought') return false
  return true
}

function isThought(part: JsonObject): boolean {
  return part['thought'] === true
}

/** The parts that may come back; of an answer that did not end, what it said. */
export function wholeParts(parts: readonly JsonObject[], complete: boolean, calls: Calls): readonly JsonObject[] {
  const kept = parts.filter((part) => {
    const call = part['functionCall'] ?? part['function_call']
    if (isObject(call)) return sort(draftOf(call, complete), calls)
    return complete || (typeof part['text'] === 'string' && !isThought(part))
  })
  // Thoughts alone say nothing that an answer could begin with.
  return kept.every(isThought) ? [] : kept
}

function draftOf(call: JsonObject, ended: boolean) {
  const { id, name, args } = call
  // Arguments that go on in later chunks are not put together: such a call is not run.
  const streamed = call['partialArgs'] !== undefined || own(call, 'willContinue') !== undefined
  const said = streamed ? undefined : args === undefined || args === null ? {} : isObject(args) ? args : undefined
  return { id, name, text: textOf(streamed ? call : (args ?? {})), arguments: said, ended, idless: true }
}
