/**
 * Messages as frameworks keep them in memory: the AI SDK's and LangChain's.
 */
import type { Answer, Call } from '../conversation.ts'
import { every, type Native, systemText, type Writer } from './writer.ts'

export const aiSdk: Writer = {
  key: 'messages',
  opening: ({ system }, scale) => (system ? [{ role: 'system', content: systemText(scale) }] : []),
  turn({ prompt, rounds, answer }) {
    const messages: unknown[] = [{ role: 'user', content: [{ type: 'text', text: prompt }] }]
    for (const round of rounds) {
      messages.push({ role: 'assistant', content: [...parts(round), ...round.calls.map(sdkCall)] })
      messages.push({ role: 'tool', content: round.calls.map(sdkResult) })
    }
    if (answer) messages.push({ role: 'assistant', content: parts(answer) })
    return messages
  },
  isResults: (message) => every((message as Native)['content'], ({ type }) => type === 'tool-result'),
}

function parts({ thinking, text }: Answer): Native[] {
  const list: Native[] = []
  if (thinking) {
    const providerOptions = { anthropic: { signature: thinking.signature } }
    list.push({ type: 'reasoning', text: thinking.text, providerOptions })
  }
  if (text) list.push({ type: 'text', text })
  return list
}

function sdkCall({ id, name, args }: Call): Native {
  return { type: 'tool-call', toolCallId: id, toolName: name, input: args }
}

function sdkResult({ id, name, result, failed }: Call): Native {
  const output = { type: failed ? 'error-text' : 'text', value: result }
  return { type: 'tool-result', toolCallId: id, toolName: name, output }
}

/** As `toDict` and `mapChatMessagesToStoredMessages` leave them: type and data. */
export const langchain: Writer = {
  key: 'messages',
  opening: ({ system }, scale) => (system ? [{ type: 'system', data: { content: systemText(scale) } }] : []),
  turn({ prompt, rounds, answer }) {
    const messages: unknown[] = [{ type: 'human', data: { content: prompt } }]
    for (const round of rounds) {
      const calls = round.calls.map(({ id, name, args }) => ({ name, args, id, type: 'tool_call' }))
      messages.push({ type: 'ai', data: { content: round.text, tool_calls: calls } })
      messages.push(...round.calls.map(stored))
    }
    if (answer) messages.push({ type: 'ai', data: { content: answer.text, tool_calls: [] } })
    return messages
  },
  isResults: (message) => (message as Native)['type'] === 'tool',
}

function stored({ id, name, result, failed }: Call): Native {
  return {
    type: 'tool',
    data: { content: result, tool_call_id: id, name, ...(failed ? { status: 'error' } : {}) },
  }
}
