import { defineAfterRejection, type Explanation } from '../../core/index.ts'

export const previousResponseNotFound = defineAfterRejection({
  id: 'previous-response-not-found',
  phase: 'structure',
  repair: 'lossy',
  messages: {
    unknown: '{provider} does not know the response {id}. {Repair} removes the reference; send the whole history.',
  },
  check(t, _constraint, report) {
    const key = t.dialect.previousKey
    const id = key === undefined ? undefined : t.request?.[key]
    if (key === undefined || id === undefined || id === null) return
    report('unknown', [], { id }, [{ do: 'set-request', key, value: undefined }])
  },
})

export const explanation: Explanation = {
  summary: 'The response that `previous_response_id` names is stored.',
  why: 'It was not stored, has expired, or belongs to another account.',
  repair: 'Repair removes `previous_response_id`.',
}
