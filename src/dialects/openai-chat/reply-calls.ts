/**
 * The calls of a chat stream, put together from their deltas.
 * OpenAI sends an index with every delta and id and name with the first; others send no index, index 0 for all,
 * the id or the name every time, or whole calls at once.
 */
import { isObject, type JsonObject, put } from '../../core/json.ts'
import { word } from '../blocks.ts'
import { argumentsOf } from '../replies/calls.ts'

/** One call as far as it came. */
export interface ChatCall {
  index: number | undefined
  id: string | undefined
  name: string | undefined
  text: string
  /** Arguments that came as an object: Ollama's own endpoint. */
  object: JsonObject | undefined
  /** `custom` calls have a text of their own instead of arguments. */
  custom: boolean
  /** Fields that we do not know, such as a signature of Gemini's behind this shape. */
  readonly rest: JsonObject
  readonly inner: JsonObject
}

export class ChatCalls {
  readonly list: ChatCall[] = []
  readonly #byId = new Map<string, ChatCall>()
  readonly #byIndex = new Map<number, ChatCall>()

  /** Takes one delta; `whole`: it is a call of a whole answer, and so none that goes on. */
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
    // The same place under a new id is a new call: some send index 0 for all.
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

/** Whether a delta without an id begins another call: it has another name, or the same one after arguments that are whole. */
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

/** The call as it stands in a message. */
export function callOf(call: ChatCall): JsonObject {
  const { id, name, text, object, custom, rest, inner } = call
  const head = id === undefined ? {} : { id }
  if (custom) return { ...head, type: 'custom', custom: { name, input: text, ...inner }, ...rest }
  // Empty arguments are rejected as JSON by some; they mean an empty object.
  const said = object ?? (text.trim() === '' ? '{}' : text)
  return { ...head, type: 'function', function: { name, arguments: said, ...inner }, ...rest }
}
