/** A model switch in the middle: one round is in the shape of another dialect. */
import { type Dialect, isObject, type Part, readMessage } from '../../core/index.ts'
import { dialects } from '../../dialects/index.ts'
import type { Draft } from './draft.ts'
import { corruption } from './types.ts'

const WIRE = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini', 'bedrock-converse']

export const switches = [
  corruption(
    'provider-switch',
    'One round was made with another provider and is still in its shape.',
    'anomalyco/opencode#1150',
    (draft) => {
      const at = draft.rounds()[0]
      const [call] = at === undefined ? [] : draft.partsOf(at).filter(({ kind }) => kind === 'call')
      const result = draft.parts('result').find(({ id }) => id !== undefined && id === call?.id)
      const others = dialects.filter(({ id }) => id !== draft.dialect.id && WIRE.includes(id))
      if (!WIRE.includes(draft.dialect.id) || !call || !result) return false
      const other = draft.random.pick(others)
      const place = draft.messages.length
      draft.insert(place, ...roundIn(other, call, result, draft))
      draft.messages.push(draft.text('user', 'Thank you. What would you do next, and why?'))
      return true
    },
  ),
] as const

/** A new call and its result, in the shape of that dialect. */
function roundIn(dialect: Dialect, call: Part, result: Part, draft: Draft): readonly unknown[] {
  const id = `call_switched_${draft.messages.length}`
  const { text } = draft.dialect.content(result)
  const message = dialect.call({ ...result, type: '' } as Part, id, call.name ?? 'tool')
  const made = readMessage(message, dialect).parts.find(({ kind }) => kind === 'call')
  const answer = made && isObject(message) ? dialect.wrapResults([dialect.answer(made, text, true)]) : []
  return [message, ...answer]
}
