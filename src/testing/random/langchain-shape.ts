/**
 * LangChain messages: plain with a role, plain with a type, stored, and as their constructor is serialized.
 */

import type { Bit, TalkEntry } from './conversation.ts'
import { key, MANNERS, type Native, PIXEL, parsed, type Shape } from './shape.ts'
import type { Tape } from './tape.ts'

const TYPES = { system: 'system', user: 'human', assistant: 'ai', tool: 'tool' } as const
const CLASSES = { system: 'SystemMessage', user: 'HumanMessage', assistant: 'AIMessage', tool: 'ToolMessage' } as const

export const langchainShape: Shape = {
  manners: { ...MANNERS, think: true },
  write({ role, bits }, tape, wild, form) {
    const results = bits.filter((bit) => bit.kind === 'result')
    const rest = bits.filter((bit) => bit.kind !== 'result')
    const messages = results.map((bit) => wrap('tool', resultFields(bit), form))
    if (rest.length > 0 || results.length === 0) messages.push(wrap(role, fields(role, rest, tape, wild), form))
    return messages
  },
}

function wrap(role: TalkEntry['role'], kwargs: Native, form: number): Native {
  if (form === 0) return { role, ...kwargs }
  if (form === 1) return { type: TYPES[role], ...kwargs }
  if (form === 2) return { type: TYPES[role], data: kwargs }
  return { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', CLASSES[role]], kwargs }
}

function resultFields(bit: Extract<Bit, { kind: 'result' }>): Native {
  const status = bit.failed ? { status: 'error' } : {}
  return { content: bit.text, ...key('tool_call_id', bit.id), ...key('name', bit.name), ...status }
}

function fields(role: TalkEntry['role'], bits: readonly Bit[], tape: Tape, wild: boolean): Native {
  const calls = bits.filter((bit) => bit.kind === 'call')
  const visible = bits.filter((bit) => bit.kind !== 'call')
  const [first] = visible
  const plain = visible.length === 1 && first!.kind === 'text' && tape.chance(60)
  const content: unknown = plain ? (first as { text: unknown }).text : visible.map(block)
  const native: Native = { content: visible.length === 0 ? '' : content }
  if (role !== 'assistant') return native
  native['tool_calls'] = calls.map((call) => ({
    ...key('name', call.name),
    ...key('args', parsed(call.args)),
    ...key('id', call.id),
    type: 'tool_call',
  }))
  const copies = calls.length > 0 ? tape.upTo(6) : 0
  if (copies === 1) native['additional_kwargs'] = { tool_calls: calls.map(raw) }
  if (copies === 2) native['content'] = [...visible.map(block), ...calls.map(block)]
  if (wild && tape.chance(5)) native['invalid_tool_calls'] = [{ id: 'bad', name: 'x', args: '{"', error: 'cut' }]
  return native
}

function raw({ id, name, args }: Extract<Bit, { kind: 'call' }>): Native {
  return { ...key('id', id), type: 'function', function: { ...key('name', name), arguments: args } }
}

function block(bit: Bit): unknown {
  switch (bit.kind) {
    case 'text':
      return { type: 'text', ...key('text', bit.text) }
    case 'think':
      return bit.sign === undefined
        ? { type: 'reasoning', reasoning: bit.text }
        : { type: 'thinking', thinking: bit.text, signature: bit.sign }
    case 'call':
      return { type: 'tool_use', ...key('id', bit.id), ...key('name', bit.name), ...key('input', parsed(bit.args)) }
    case 'image':
      return { type: 'image_url', image_url: { url: `data:image/gif;base64,${PIXEL}` } }
    case 'unknown':
      return bit.value
    case 'result':
      return { type: 'text', text: bit.text }
  }
}
