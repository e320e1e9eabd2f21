/**
 * OpenAI chat, with `reasoning_content` for the providers that want the thoughts of their models back.
 */
import type { Answer, Call, Round } from '../conversation.ts'
import { type Native, systemText, type Writer } from './writer.ts'

export const openaiChat: Writer = {
  key: 'messages',
  opening: ({ system }, scale) => (system ? [{ role: 'system', content: systemText(scale) }] : []),
  turn({ prompt, rounds, answer }) {
    const messages: unknown[] = [{ role: 'user', content: prompt }, ...rounds.flatMap(written)]
    if (answer) messages.push({ role: 'assistant', content: answer.text, ...thoughts(answer) })
    return messages
  },
  isResults: (message) => (message as Native)['role'] === 'tool',
}

function written(round: Round): unknown[] {
  const { text, calls } = round
  const results = calls.map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result }))
  return [{ role: 'assistant', content: text || null, tool_calls: calls.map(called), ...thoughts(round) }, ...results]
}

function called({ id, name, args }: Call): Native {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } }
}

function thoughts({ thinking }: Answer): Native {
  return thinking ? { reasoning_content: thinking.text } : {}
}
