/**
 * The items of a Responses stream so far.
 * Found by id, then by position: some providers change an item's id from event to event, some send position 0 for all.
 */
import { isObject, type JsonObject } from '../../core/json.ts'

interface Draft {
  readonly place: number
  item: JsonObject
  done: boolean
  /** Texts that come in pieces, by their key and the index of their part. */
  readonly texts: Map<string, StreamedText>
  /** The arguments of a call, or its input. */
  input: string | undefined
}

interface StreamedText {
  readonly key: 'text' | 'refusal'
  readonly index: number
  readonly text: string
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
    switch (type) {
      case 'response.output_text.delta':
        addText(draft, 'text', event, delta, true)
        break
      case 'response.refusal.delta':
        addText(draft, 'refusal', event, delta, true)
        break
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        draft.input = (draft.input ?? '') + delta
    }
  }

  /** The full text or arguments after their deltas. */
  settle(type: string, event: JsonObject): void {
    const { text, refusal } = event
    const input = type === 'response.custom_tool_call_input.done' ? event['input'] : event['arguments']
    const draft = this.#find(event, event['item_id'])
    if (type === 'response.output_text.done' && typeof text === 'string') addText(draft, 'text', event, text, false)
    else if (type === 'response.refusal.done' && typeof refusal === 'string')
      addText(draft, 'refusal', event, refusal, false)
    else if (typeof input === 'string') draft.input = input
  }

  /** The items in order; an unfinished one is made of its deltas. */
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
    const draft = { place, item: {}, done: false, texts: new Map(), input: undefined }
    this.#drafts.push(draft)
    this.#byPlace.set(place, draft)
    return draft
  }
}

function addText(draft: Draft, key: 'text' | 'refusal', event: JsonObject, text: string, isDelta: boolean): void {
  const index = typeof event['content_index'] === 'number' ? event['content_index'] : 0
  const before = isDelta ? (draft.texts.get(`${key} ${index}`)?.text ?? '') : ''
  draft.texts.set(`${key} ${index}`, { key, index, text: before + text })
}

function fromDeltas({ item, texts, input }: Draft): JsonObject {
  if (input !== undefined) {
    const key = item['type'] === 'custom_tool_call' ? 'input' : 'arguments'
    return { type: 'function_call', ...item, [key]: input, status: 'incomplete' }
  }
  if (texts.size > 0) return messageOf(item, [...texts.values()])
  return isObject(item) && item['type'] !== undefined ? { ...item, status: 'incomplete' } : {}
}

function messageOf(item: JsonObject, texts: readonly StreamedText[]): JsonObject {
  const content = texts
    .toSorted((one, other) => one.index - other.index)
    .map(({ key, text }) =>
      key === 'text' ? { type: 'output_text', text, annotations: [] } : { type: 'refusal', refusal: text },
    )
  return { type: 'message', role: 'assistant', ...item, content, status: 'incomplete' }
}
