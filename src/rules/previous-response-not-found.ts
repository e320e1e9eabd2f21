import { defineRule, type Explanation } from '../core/index.ts'

export const explanation: Explanation = {
  says: 'The response that a request goes on from is stored.',
  why: 'It was not stored, has expired, or belongs to another account.',
  refusals: [
    /Previous response with id .{0,400} not found/i,
    /previous_response_not_found/i,
    /Invalid `?previous_response_id`?/i,
  ],
}

/** Cannot be seen in a history: acts only after a refusal. Law: `key` — the key of the request that names the response. */
export const previousResponseNotFound = defineRule({
  id: 'previous-response-not-found',
  repair: 'lossy',
  messages: { unknown: 'The response {id} is not known; the history has to come whole.' },
  checks: {
    end(walk, bound) {
      const key = (bound.law['key'] as string | undefined) ?? 'previous_response_id'
      const id = walk.body?.[key]
      if (!bound.refused || id === undefined || id === null) return
      walk.report(bound, 'unknown', [], { id }, [{ do: 'body', key, value: undefined }])
    },
  },
})
