/**
 * OpenAI Responses: items of several kinds.
 */

import type { Bit, TalkEntry } from './conversation.ts'
import { key, MANNERS, type Native, PIXEL, type Shape } from './shape.ts'
import type { Tape } from './tape.ts'

export const responsesShape: Shape = {
  manners: { ...MANNERS, think: true, sign: 'gAAAAABc2lnbmVk' },
  write({ role, bits }, tape, wild) {
    if (bits.length === 0) return [{ role: roleOf(role), content: tape.pick(wild ? ['', null, []] : ['']) }]
    const items: unknown[] = []
    let pending: Bit[] = []
    for (const bit of bits) {
      if (bit.kind === 'text' || bit.kind === 'image') {
        pending.push(bit)
        continue
      }
      if (pending.length > 0) items.push(message(role, pending, tape))
      pending = []
      items.push(item(bit, tape, wild))
    }
    if (pending.length > 0) items.push(message(role, pending, tape))
    return items
  },
}

function roleOf(role: TalkEntry['role']): string {
  return role === 'tool' ? 'user' : role
}

function message(role: TalkEntry['role'], bits: readonly Bit[], tape: Tape): Native {
  const [first] = bits
  const type = tape.chance(50) ? { type: 'message' } : {}
  const plain = bits.length === 1 && first!.kind === 'text' && tape.chance(50)
  return {
    ...type,
    role: roleOf(role),
    content: plain ? (first as { text: unknown }).text : bits.map((bit) => block(bit, role)),
  }
}

function block(bit: Bit, role: TalkEntry['role']): Native {
  if (bit.kind !== 'text') return { type: 'input_image', image_url: `data:image/gif;base64,${PIXEL}` }
  return { type: role === 'assistant' ? 'output_text' : 'input_text', ...key('text', bit.text) }
}

function item(bit: Bit, tape: Tape, wild: boolean): unknown {
  switch (bit.kind) {
    case 'call':
      return custom(bit.name)
        ? { type: 'custom_tool_call', ...key('call_id', bit.id), name: bit.name, input: bit.args }
        : { type: 'function_call', ...key('call_id', bit.id), ...key('name', bit.name), arguments: bit.args }
    case 'result': {
      const output =
        typeof bit.text === 'string' && tape.chance(15) ? [{ type: 'input_text', text: bit.text }] : bit.text
      const type = custom(bit.name) ? 'custom_tool_call_output' : 'function_call_output'
      return { type, ...key(wild && tape.chance(4) ? 'callId' : 'call_id', bit.id), ...key('output', output) }
    }
    case 'think':
      return {
        type: 'reasoning',
        ...(wild && tape.chance(20) ? { id: `rs_${tape.upTo(4)}` } : {}),
        summary: [{ type: 'summary_text', text: bit.text }],
        ...key('encrypted_content', bit.sign),
      }
    case 'unknown':
      return bit.value
    default:
      return {}
  }
}

/** One tool of the conversations is a custom one; its call and its output are of that kind. */
function custom(name: unknown): boolean {
  return name === 'bash'
}
