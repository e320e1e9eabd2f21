/**
 * Items of OpenAI's Responses, as a client sends back what it got: ids, status and encrypted reasoning included.
 */
import type { Answer, Call } from '../conversation.ts'
import { type Native, systemText, type Writer } from './writer.ts'

export const openaiResponses: Writer = {
  key: 'input',
  opening: ({ system }, scale) => (system ? [{ role: 'developer', content: systemText(scale) }] : []),
  turn({ prompt, rounds, answer }, { itemIds }) {
    const items: Native[] = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] }]
    for (const round of rounds)
      items.push(...answerItems(round, round.calls[0]!.id), ...round.calls.map(called), ...round.calls.map(output))
    if (answer) items.push(...answerItems(answer))
    return itemIds ? items : items.map(({ id: _id, ...rest }) => rest)
  },
  isResults: (item) => (item as Native)['type'] === 'function_call_output',
}

/** Reasoning, then text; the text gets an id derived from the item next to it. */
function answerItems({ thinking, text }: Answer, near = ''): Native[] {
  const items: Native[] = []
  if (thinking) {
    const { id, text: summary, signature } = thinking
    items.push({
      type: 'reasoning',
      id,
      summary: [{ type: 'summary_text', text: summary }],
      encrypted_content: `gAAAAAB${signature}`,
    })
  }
  if (text) {
    const own = thinking?.id.slice(3) ?? near.replace('call_', '')
    const content = [{ type: 'output_text', text, annotations: [] }]
    items.push({
      type: 'message',
      ...(own ? { id: `msg_${own}` } : {}),
      role: 'assistant',
      status: 'completed',
      content,
    })
  }
  return items
}

function called({ id, name, args }: Call): Native {
  const item = { id: `fc_${id.replace('call_', '')}`, call_id: id, name, arguments: JSON.stringify(args) }
  return { type: 'function_call', ...item, status: 'completed' }
}

function output({ id, result }: Call): Native {
  return { type: 'function_call_output', call_id: id, output: result }
}
