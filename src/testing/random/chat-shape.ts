/**
 * OpenAI chat, with the old `function_call` and the camel-case keys of old histories.
 */

import type { Bit } from './conversation.ts'
import { key, MANNERS, type Native, PIXEL, type Shape } from './shape.ts'
import type { Tape } from './tape.ts'

type Call = Extract<Bit, { kind: 'call' }>

export const chatShape: Shape = {
  manners: MANNERS,
  write({ role, bits }, tape, wild) {
    const results = bits.filter((bit) => bit.kind === 'result')
    const rest = bits.filter((bit) => bit.kind !== 'result')
    const messages: Native[] = results.map((bit) => ({
      role: wild && tape.chance(2) ? 'function' : 'tool',
      ...key(wild && tape.chance(5) ? tape.pick(['toolCallId', 'callId']) : 'tool_call_id', bit.id),
      ...(tape.chance(20) ? key('name', bit.name) : {}),
      content: typeof bit.text === 'string' && tape.chance(15) ? [{ type: 'text', text: bit.text }] : bit.text,
    }))
    if (rest.length > 0 || results.length === 0) messages.push(message(role, rest, tape, wild))
    return messages
  },
}

function message(role: string, bits: readonly Bit[], tape: Tape, wild: boolean): Native {
  const calls = bits.filter((bit) => bit.kind === 'call')
  const visible = bits.filter((bit) => bit.kind === 'text' || bit.kind === 'image' || bit.kind === 'unknown')
  const native: Native = { role, content: content(visible, calls.length > 0, tape, wild) }
  if (wild && native['content'] === null && tape.chance(20)) delete native['content']
  for (const bit of bits) if (bit.kind === 'think') native['reasoning_content'] = bit.text
  if (calls.length === 1 && wild && tape.chance(3)) {
    native['function_call'] = { ...key('name', calls[0]!.name), arguments: calls[0]!.args }
  } else if (calls.length > 0) {
    native[wild && tape.chance(3) ? 'toolCalls' : 'tool_calls'] = calls.map((call) => writeCall(call, tape, wild))
  } else if (wild && tape.chance(3)) native['tool_calls'] = []
  return native
}

function content(bits: readonly Bit[], calls: boolean, tape: Tape, wild: boolean): unknown {
  const [first] = bits
  if (!first) return calls ? tape.pick([null, '']) : wild ? tape.pick(['', null, []]) : ''
  if (bits.length === 1 && first.kind === 'text' && !tape.chance(20)) return first.text
  return bits.map(block)
}

function block(bit: Bit): unknown {
  if (bit.kind === 'text') return { type: 'text', ...key('text', bit.text) }
  if (bit.kind === 'unknown') return bit.value
  return { type: 'image_url', image_url: { url: `data:image/gif;base64,${PIXEL}` } }
}

function writeCall({ id, name, args }: Call, tape: Tape, wild: boolean): unknown {
  if (wild && tape.chance(2))
    return tape.pick<unknown>([null, 'call', { ...key('id', id), ...key('name', name), args }])
  return { ...key('id', id), type: 'function', function: { ...key('name', name), arguments: args } }
}
