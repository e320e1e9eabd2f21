import type { Verdict } from '../judge.ts'
import { typeOf } from '../judges/responses/items.ts'
import { asList, asObjects, isObject, wordOf } from './json.ts'
import type { JsonObject } from './types.ts'

/** What the Responses endpoint stores: responses by id, and their items by id. */
export interface Memory {
  /** The body with its references resolved, or the rejection of an unknown reference. */
  recall(body: JsonObject): JsonObject | Verdict
  keep(body: JsonObject, response: JsonObject): void
  /** Ids of all items that were issued, stored or not. */
  readonly issuedIds: ReadonlySet<string>
}

export function createMemory(size: number): Memory {
  const responses = new Map<string, readonly unknown[]>()
  const items = new Map<string, JsonObject>()
  const given = new Set<string>()
  return {
    issuedIds: given,
    recall(body) {
      const before = body['previous_response_id']
      const earlier = typeof before === 'string' ? responses.get(before) : (responses.get(talkOf(body)) ?? [])
      if (!earlier)
        return notFound(400, 'previous-response-not-found', `Previous response with id '${before}' not found.`)
      const input = [...earlier, ...inputOf(body)]
      const missing = input.find((item) => isReference(item) && !items.has(wordOf(item['id'])))
      if (missing)
        return notFound(404, 'item-id-not-persisted', `Item with id '${(missing as JsonObject)['id']}' not found.`)
      const whole = input.map((item) => (isReference(item) ? items.get(wordOf(item['id'])) : item))
      const { previous_response_id: _, ...rest } = body
      return { ...rest, input: whole }
    },
    keep(body, response) {
      const output = asObjects(response['output'])
      for (const item of output) given.add(wordOf(item['id']))
      trim(given, size)
      if (body['store'] === false) return
      const whole = [...inputOf(body), ...output]
      responses.set(wordOf(response['id']), whole)
      if (talkOf(body) !== '') responses.set(talkOf(body), whole)
      for (const item of output) items.set(wordOf(item['id']), item)
      trim(responses, size)
      trim(items, size)
    },
  }
}

function inputOf(body: JsonObject): readonly unknown[] {
  const { input } = body
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : asList(input)
}

// A conversation is named by its id or by an object with one; the contract accepts any and stores it.
function talkOf(body: JsonObject): string {
  const { conversation } = body
  return wordOf((isObject(conversation) ? conversation['id'] : conversation) ?? '')
}

function isReference(item: unknown): item is JsonObject {
  return isObject(item) && typeOf(item) === 'item_reference'
}

function notFound(status: number, rule: string, message: string): Verdict {
  const code = rule === 'previous-response-not-found' ? 'previous_response_not_found' : null
  const body = { error: { message, type: 'invalid_request_error', param: 'input', code } }
  return { accepted: false, rule, status, message, body }
}

// Both keep insertion order: the first is the oldest.
function trim(kept: Map<string, unknown> | Set<string>, size: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= size) return
    kept.delete(key)
  }
}
