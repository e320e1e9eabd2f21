/**
 * Messages as `useChat` of the AI SDK shows them: a result is in the part of its call.
 */
import type { Answer, Call } from '../conversation.ts'
import { type Native, systemText, type Writer } from './writer.ts'

export const aiSdkUi: Writer = {
  key: 'messages',
  opening: ({ system }, scale) => (system ? [message('system', [text(systemText(scale))])] : []),
  turn({ prompt, rounds, answer }) {
    const messages: unknown[] = [message('user', [text(prompt)])]
    for (const round of rounds) messages.push(message('assistant', [...step(round), ...round.calls.map(toolPart)]))
    if (answer) messages.push(message('assistant', step(answer)))
    return messages
  },
  isResults: () => false,
  unanswered(one) {
    const { parts, ...rest } = one as { parts: readonly Native[] }
    return parts.some(isDone) ? { ...rest, parts: parts.map((part) => (isDone(part) ? undone(part) : part)) } : one
  },
}

let made = 0

/** Every message has an id of its own. */
function message(role: string, parts: readonly Native[]): Native {
  return { id: `msg-${String(++made).padStart(12, '0')}`, role, parts }
}

function text(value: string): Native {
  return { type: 'text', text: value }
}

function step({ thinking, text: answer }: Answer): Native[] {
  const list: Native[] = [{ type: 'step-start' }]
  if (thinking) {
    const providerMetadata = { anthropic: { signature: thinking.signature } }
    list.push({ type: 'reasoning', text: thinking.text, providerMetadata })
  }
  if (answer) list.push(text(answer))
  return list
}

function toolPart({ id, name, args, result, failed }: Call): Native {
  const outcome = failed ? { state: 'output-error', errorText: result } : { state: 'output-available', output: result }
  return { type: `tool-${name}`, toolCallId: id, input: args, ...outcome }
}

function isDone({ state }: Native): boolean {
  return state === 'output-available' || state === 'output-error'
}

function undone({ output: _output, errorText: _error, ...call }: Native): Native {
  return { ...call, state: 'input-available' }
}
