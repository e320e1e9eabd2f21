/**
 * The calls of a chat stream, assembled from their deltas.
 * OpenAI sends an index with every delta, and id and name with the first. Other providers send no index, index 0 for
 * all calls, the id or the name with every delta, or whole calls at once.
 */
import { isObject, type JsonObject, put } from '../../core/json.ts'
import { word } from '../blocks.ts'
import { argumentsOf } from '../replies/calls.ts'

/** A call, as far as it was streamed. */
export interface ChatCall {
  index: number | undefined
  id: string | undefined
  name: string | undefined
  text: string
  /** Arguments as an object, from Ollama's own endpoint. */
  object: JsonObject | undefined
  /** A `custom` call has a text under `input` instead of arguments. */
  custom: boolean
  /** Unknown fields, such as a signature of Gemini. */
  readonly rest: JsonObject
  readonly inner: JsonObject
}

export class ChatCalls {
  readonly list: ChatCall[] = []
  readonly #byId = new Map<string, ChatCall>()
  readonly #byIndex = new Map<number, ChatCall>()

  /** Takes one delta. `whole`: the call is complete, so no delta follows. */
  add(delta: JsonObject, whole: boolean): void {
    const id = word(delta['id'])
    const index = typeof delta['index'] === 'number' ? delta['index'] : undefined
    const body = isObject(delta['function']) ? delta['function'] : isObject(delta['custom']) ? delta['custom'] : {}
    const name = word(body['name'])
    const call = (whole ? undefined : this.#find(id, index, name)) ?? this.#open(index)
    if (id !== undefined && call.id === undefined) {
      call.id = id
      this.#byId.set(id, call)
    }
    call.name ??= name
    call.custom ||= isObject(delta['custom'])
    const text = call.custom ? body['input'] : body['arguments']
    if (typeof text === 'string') call.text += text
    else if (isObject(text)) call.object = text
    keep(delta, call.rest, KNOWN)
    keep(body, call.inner, KNOWN_INNER)
  }

  #find(id: string | undefined, index: number | undefined, name: string | undefined): ChatCall | undefined {
    const known = id === undefined ? undefined : this.#byId.get(id)
    if (known && (name === undefined || index === undefined || known.index === index)) return known
    const there = index === undefined ? this.list.at(-1) : this.#byIndex.get(index)
    if (!there) return
    // The same index with a new id is a new call: some providers send index 0 for all calls.
    if (id !== undefined) return there.id === undefined ? there : undefined
    return startsAnew(there, name) ? undefined : there
  }

  #open(index: number | undefined): ChatCall {
    const call: ChatCall = {
      index,
      id: undefined,
      name: undefined,
      text: '',
      object: undefined,
      custom: false,
      rest: {},
      inner: {},
    }
    this.list.push(call)
    if (index !== undefined) this.#byIndex.set(index, call)
    return call
  }
}

/** Whether a delta without an id begins a new call: it has another name, or the arguments so far are complete. */
function startsAnew(call: ChatCall, name: string | undefined): boolean {
  if (name === undefined || call.name === undefined) return false
  if (name !== call.name) return true
  return call.object !== undefined || (call.text !== '' && argumentsOf(call.text) !== undefined)
}

const KNOWN: ReadonlySet<string> = new Set(['index', 'id', 'type', 'function', 'custom'])
const KNOWN_INNER: ReadonlySet<string> = new Set(['name', 'arguments', 'input'])

function keep(from: JsonObject, to: JsonObject, known: ReadonlySet<string>): void {
  for (const key of Object.keys(from)) {
    if (!known.has(key) && from[key] !== null) put(to, key, from[key])
  }
}

/** The call as an entry of `tool_calls`. */
export function callOf(call: ChatCall): JsonObject {
  const { id, name, text, object, custom, rest, inner } = call
  const head = id === undefined ? {} : { id }
  if (custom) return { ...head, type: 'custom', custom: { name, input: text, ...inner }, ...rest }
  // Some providers reject empty arguments, which mean an empty object.
  const args = object ?? (text.trim() === '' ? '{}' : text)
  return { ...head, type: 'function', function: { name, arguments: args, ...inner }, ...rest }
}
