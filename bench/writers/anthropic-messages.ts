/**
 * Anthropic Messages, with signed thinking where the model thinks.
 */
import type { Answer, Call } from '../conversation.ts'
import { every, type Native, type Writer } from './writer.ts'

export const anthropicMessages: Writer = {
  key: 'messages',
  opening: () => [],
  turn({ prompt, rounds, answer }) {
    const messages: unknown[] = [{ role: 'user', content: prompt }]
    for (const round of rounds) {
      messages.push({ role: 'assistant', content: [...answerBlocks(round), ...round.calls.map(called)] })
      messages.push({ role: 'user', content: round.calls.map(result) })
    }
    if (answer) messages.push({ role: 'assistant', content: answerBlocks(answer) })
    return messages
  },
  isResults: (message) => every((message as Native)['content'], ({ type }) => type === 'tool_result'),
}

function answerBlocks({ thinking, text }: Answer): Native[] {
  const blocks: Native[] = []
  if (thinking) blocks.push({ type: 'thinking', thinking: thinking.text, signature: thinking.signature })
  if (text) blocks.push({ type: 'text', text })
  return blocks
}

function called({ id, name, args }: Call): Native {
  return { type: 'tool_use', id, name, input: args }
}

function result({ id, result: content, failed }: Call): Native {
  return { type: 'tool_result', tool_use_id: id, content, ...(failed ? { is_error: true } : {}) }
}
