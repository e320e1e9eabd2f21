import { defineRule, type Explanation, HAS_CALL, own, type Path, roleOf, valueAt } from '../core/index.ts'
import { GO_ON } from './said.ts'

export const explanation: Explanation = {
  says: 'A history that is sent does not end with the assistant.',
  why: 'Providers without prefill refuse to go on from the middle of an answer.',
  refusals: [
    /does not support assistant message prefill/i,
    /in the final position, which would pre-fill/i,
    /Requests ending with a model turn are not supported/i,
    /multiturn requests? ends? with a user role or a function response/i,
    /Expected last role User or Tool/i,
    /prefill is incompatible with enable_thinking/i,
  ],
}

/**
 * Law: `unless` — the key by which a message asks to be gone on from · `paused` — types of a last block behind which the provider itself stopped and goes on · `asked` — path in the request: holds only where that is true.
 */
export const lastAssistantPrefill = defineRule({
  id: 'last-assistant-prefill',
  repair: 'lossy',
  messages: { last: 'The history ends with the assistant.' },
  checks: {
    junction(before, after, { law, refused }, sending, last) {
      if (law['asked'] !== undefined) return undefined
      if (!sending || after !== undefined || before === undefined || roleOf(before) !== 'assistant') return undefined
      // Open calls get their results first; a history then ends with those.
      if ((before & HAS_CALL) !== 0 && !isUnread(last)) return undefined
      if (law['unless'] !== undefined && own(last, law['unless'] as string) === true) return undefined
      if (!refused && isPaused(last, law['paused'] as RegExp | undefined)) return undefined
      return { do: 'insert', role: 'user', text: GO_ON, message: 'last' }
    },
    end(walk, { law, ...bound }) {
      const { history, body, dialect, sending } = walk
      const asked = law['asked'] as Path | undefined
      const last = history.length - 1
      if (
        !sending ||
        asked === undefined ||
        valueAt(body, asked) !== true ||
        own(history[last], 'role') !== 'assistant'
      )
        return
      walk.report({ law, ...bound }, 'last', [last], {}, [
        { do: 'insert', after: last, value: dialect.say('user', GO_ON) },
      ])
    },
  },
})

/** The provider's own tools were at work when it paused: the answer is sent back as it came. */
function isPaused(last: unknown, types: RegExp | undefined): boolean {
  const content = own(last, 'content')
  const type = Array.isArray(content) ? own(content.at(-1), 'type') : undefined
  return types !== undefined && typeof type === 'string' && types.test(type)
}

/** Its calls are under a name that nobody reads, or nobody reads any more: to the provider it is a message like any other. */
function isUnread(last: unknown): boolean {
  const isOdd = own(last, 'toolCalls') !== undefined || own(last, 'function_call') !== undefined
  return isOdd && own(last, 'tool_calls') === undefined
}
