import { type Bound, defineRule, type Explanation, isObject } from '../core/index.ts'

export interface ToolResultItemId {
  /** Ids that belong to a call item and that an output may not carry. */
  readonly pattern?: RegExp
}

export const toolResultItemId = defineRule({
  id: 'tool-result-item-id',
  phase: 'shape',
  about: () => ({ parts: ['results'] }),
  repair: 'safe',
  messages: {
    item: 'The output for call {call} in item {index} has the item id {id} of its call; {rejects} the call as unanswered. {Repair} removes the item id.',
  },
  check(t, { pattern = /^fc_/ }: Bound<ToolResultItemId>, report) {
    for (const part of t.results) {
      const id = isObject(part.value) ? part.value['id'] : undefined
      if (typeof id !== 'string' || id === part.id || !pattern.test(id)) continue
      report('item', part, { call: part.id ?? '(no id)', id }, [{ do: 'set-part', part, key: 'id', value: undefined }])
    }
  },
})

export const explanation: Explanation = {
  summary: 'An output item does not have the item id of its call.',
  why: 'The provider mistakes the output for the call and reports the call as unanswered.',
  // The provider reports a missing result instead.
  repair: 'Repair removes the id; `call_id` stays.',
}
