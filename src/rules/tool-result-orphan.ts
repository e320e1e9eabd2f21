import { type Bound, defineRule, type Step, type Stray, type Walk } from '../core/index.ts'
import { discard } from './discard.ts'

export const toolResultOrphan = defineRule({
  id: 'tool-result-orphan',
  says: 'Every result answers a call made before it.',
  why: 'A result whose call the provider never saw makes it refuse the whole request.',
  repair: 'safe',
  refusals: [
    /unexpected `?tool_use_id`? found in `?tool_result`? blocks/i,
    /messages with role .tool. must be a response to a prece+ding message with .tool_calls/i,
    /No tool call found for [\w ]+ output with call_id/i,
    /function response turn comes immediately after a function call turn/i,
    /number of toolResult blocks at messages\.\d+\.content exceeds/i,
    /Unexpected role (?:'tool' after role|RoleEnum\.tool)/i,
  ],
  messages: {
    orphan: 'Result for {call} answers no call in this history.',
    early: 'Result for {call} stands before its call.',
    again: 'Result for {call} comes again, after that call was answered.',
  },
  checks: {
    stray(stray, bound, walk) {
      if (stray.fate === 'misplaced' || (stray.fate === 'duplicate' && stray.inSlot)) return
      const data = { call: stray.part.id ?? '(no id)' }
      if (stray.fate === 'early') walk.report(bound, 'early', stray.part, data, [{ do: 'settle', call: stray.call }])
      else if (stray.fate === 'duplicate') walk.report(bound, 'again', stray.part, data, discard(stray, walk))
      else if (!isKnownElsewhere(walk)) walk.report(bound, 'orphan', stray.part, data, rescue(stray, bound, walk))
    },
  },
})

/** The provider holds earlier turns itself: the call may be there. */
function isKnownElsewhere(walk: Walk): boolean {
  return walk.body?.['previous_response_id'] != null || walk.body?.['conversation'] != null
}

function rescue({ part, round }: Stray, _bound: Bound, walk: Walk): readonly Step[] {
  if (walk.policy.orphan === 'drop') return [{ do: 'remove', part }]
  const settle: readonly Step[] = round < 0 ? [] : [{ do: 'settle', call: round }]
  const tool = part.name ? ` of tool ${part.name}` : ''
  const label = `[Result${tool} for a call that is no longer in this conversation${part.id ? ` (${part.id})` : ''}]`
  return [{ do: 'note', part, as: walk.policy.orphan === 'rebuild' ? 'call' : 'note', label }, ...settle]
}
