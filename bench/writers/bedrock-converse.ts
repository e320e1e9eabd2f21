/**
 * Bedrock Converse, with signed reasoning where the model thinks.
 */
import type { Answer, Call } from '../conversation.ts'
import { every, type Native, type Writer } from './writer.ts'

export const bedrockConverse: Writer = {
  key: 'messages',
  opening: () => [],
  turn({ prompt, rounds, answer }) {
    const messages: unknown[] = [{ role: 'user', content: [{ text: prompt }] }]
    for (const round of rounds) {
      messages.push({ role: 'assistant', content: [...answerBlocks(round), ...round.calls.map(called)] })
      messages.push({ role: 'user', content: round.calls.map(result) })
    }
    if (answer) messages.push({ role: 'assistant', content: answerBlocks(answer) })
    return messages
  },
  isResults: (message) => every((message as Native)['content'], (block) => block['toolResult'] !== undefined),
}

function answerBlocks({ thinking, text }: Answer): Native[] {
  const blocks: Native[] = []
  if (thinking) {
    const reasoningText = { text: thinking.text, signature: thinking.signature }
    blocks.push({ reasoningContent: { reasoningText } })
  }
  if (text) blocks.push({ text })
  return blocks
}

function called({ id, name, args }: Call): Native {
  return { toolUse: { toolUseId: id, name, input: args } }
}

function result({ id, result: text, failed }: Call): Native {
  return { toolResult: { toolUseId: id, content: [{ text }], status: failed ? 'error' : 'success' } }
}
