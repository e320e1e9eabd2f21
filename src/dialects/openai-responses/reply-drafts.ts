/**
 * The items of a Responses stream, as far as they came.
 * Found by id, then by place: some change an item's id from event to event, some say place 0 for all.
 */
import { isObject, type JsonObject } from '../../core/json.ts'

interface Draft {
  readonly place: number
  item: JsonObject
  done: boolean
  /** Texts that came in pieces, by the place of their part. */
  readonly texts: Map<number, string>
  readonly refusals: Map<number, string>
  /** The arguments of a call, or its input. */
  input: string | undefined
}

export class Items {
  finished = 0
  readonly #drafts: Draft[] = []
  readonly #byId = new Map<string, Draft>()
  readonly #byPlace = new Map<number, Draft>()

  added(event: JsonObject, item: JsonObject): void {
    const draft = this.#find(event, item['id'])
    if (!draft.done) draft.item = item
  }

  done(event: JsonObject, item: JsonObject): void {
    const draft = this.#find(event, item['id'])
    draft.item = item
    if (!draft.done) this.finished++
    draft.done = true
  }

  delta(type: string, event: JsonObject, delta: string): void {
    const draft = this.#find(event, event['item_id'])
    const at = typeof event['content_index'] === 'number' ? event['content_index'] : 0
    switch (type) {
      case 'response.output_text.delta':
        draft.texts.set(at, (draft.texts.get(at) ?? '') + delta)
        break
      case 'response.refusal.delta':
        draft.refusals.set(at, (draft.refusals.get(at) ?? '') + delta)
        break
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        draft.input = (draft.input ?? '') + delta
    }
  }

  /** A text or arguments that are said again in full. */
  settle(type: string, event: JsonObject): void {
    const { text, refusal } = event
    const input = type === 'response.custom_tool_call_input.done' ? event['input'] : event['arguments']
    const at = typeof event['content_index'] === 'number' ? event['content_index'] : 0
    const draft = this.#find(event, event['item_id'])
    if (type === 'response.output_text.done' && typeof text === 'string') draft.texts.set(at, text)
    else if (type === 'response.refusal.done' && typeof refusal === 'string') draft.refusals.set(at, refusal)
    else if (typeof input === 'string') draft.input = input
  }

  /** The items in order; one that was not finished as its deltas have it. */
  list(): readonly JsonObject[] {
    const sorted = this.#drafts.toSorted((one, other) => one.place - other.place)
    return sorted.map((draft) => (draft.done ? draft.item : fromDeltas(draft)))
  }

  #find(event: JsonObject, id: unknown): Draft {
    const place = typeof event['output_index'] === 'number' ? event['output_index'] : undefined
    const known = typeof id === 'string' ? this.#byId.get(id) : undefined
    if (known) return known
    const there = place === undefined ? this.#drafts.at(-1) : this.#byPlace.get(place)
    const draft = there && !there.done ? there : this.#open(place ?? this.#drafts.length)
    if (typeof id === 'string') this.#byId.set(id, draft)
    return draft
  }

  #open(place: number): Draft {
    const draft = { place, item: {}, done: false, texts: new Map(), refusals: new Map(), input: undefined }
    this.#drafts.push(draft)
    this.#byPlace.set(place, draft)
    return draft
  }
}

function fromDeltas({ item, texts, refusals, input }: Draft): JsonObject {
  if (input !== undefined) {
    const key = item['type'] === 'custom_tool_call' ? 'input' : 'arguments'
    return { type: 'function_call', ...item, [key]: input, status: 'incomplete' }
  }
  if (texts.size + refusals.size > 0) return messageOf(item, texts, refusals)
  return isObject(item) && item['type'] !== undefined ? { ...item, status: 'incomplete' } : {}
}

function messageOf(
  item: JsonObject,
  texts: ReadonlyMap<number, string>,
  refusals: ReadonlyMap<number, string>,
): JsonObject {
  const parts = [
    ...[...texts].map(([at, text]) => ({ at, part: { type: 'output_text', text, annotations: [] } })),
    ...[...refusals].map(([at, refusal]) => ({ at, part: { type: 'refusal', refusal } })),
  ]
  const content = parts.toSorted((one, other) => one.at - other.at).map(({ part }) => part)
  return { type: 'message', role: 'assistant', ...item, content, status: 'incomplete' }
}
