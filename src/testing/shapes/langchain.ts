/** LangChain messages: plain with a role, plain with a type, stored, and as their constructor is serialized. */
import type { Message, Piece } from './pieces.ts'
import { DEFAULT_FEATURES, key, type Native, PIXEL, parsed, type Shape } from './shape.ts'
import type { Tape } from './tape.ts'

const TYPES = { system: 'system', user: 'human', assistant: 'ai', tool: 'tool' } as const
const CLASSES = { system: 'SystemMessage', user: 'HumanMessage', assistant: 'AIMessage', tool: 'ToolMessage' } as const

export const langchainShape: Shape = {
  features: { ...DEFAULT_FEATURES, think: true },
  write({ role, pieces }, tape, wild, form) {
    const results = pieces.filter((piece) => piece.kind === 'result')
    const rest = pieces.filter((piece) => piece.kind !== 'result')
    const messages = results.map((piece) => wrap('tool', resultFields(piece, tape), form))
    if (rest.length > 0 || results.length === 0) messages.push(wrap(role, fields(role, rest, tape, wild), form))
    return messages
  },
}

function wrap(role: Message['role'], kwargs: Native, form: number): Native {
  if (form === 0) return { role, ...kwargs }
  if (form === 1) return { type: TYPES[role], ...kwargs }
  if (form === 2) return { type: TYPES[role], data: kwargs }
  return { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', CLASSES[role]], kwargs }
}

function resultFields(piece: Extract<Piece, { kind: 'result' }>, tape: Tape): Native {
  const name = tape.chance(50) ? key('name', piece.name) : {}
  const status = piece.failed ? { status: 'error' } : {}
  return { content: piece.text, ...key('tool_call_id', piece.id), ...name, ...status }
}

function fields(role: Message['role'], pieces: readonly Piece[], tape: Tape, wild: boolean): Native {
  const calls = pieces.filter((piece) => piece.kind === 'call')
  const visible = pieces.filter((piece) => piece.kind !== 'call')
  const [first] = visible
  const plain = visible.length === 1 && first!.kind === 'text' && !tape.chance(40)
  const content: unknown = plain ? (first as { text: unknown }).text : visible.map(block)
  const native: Native = { content: visible.length === 0 ? '' : content }
  if (role !== 'assistant') return native
  if (calls.length > 0 || tape.chance(50)) native['tool_calls'] = calls.map(toolCall)
  const copies = calls.length > 0 ? tape.upTo(6) : 0
  if (copies === 1) native['additional_kwargs'] = { tool_calls: calls.map(raw) }
  if (copies === 2) native['content'] = [...visible.map(block), ...calls.map(block)]
  if (wild && tape.chance(5)) native['invalid_tool_calls'] = [{ id: 'bad', name: 'x', args: '{"', error: 'cut' }]
  return native
}

function toolCall({ name, args, id }: Extract<Piece, { kind: 'call' }>): Native {
  return { ...key('name', name), ...key('args', parsed(args)), ...key('id', id), type: 'tool_call' }
}

function raw({ id, name, args }: Extract<Piece, { kind: 'call' }>): Native {
  return { ...key('id', id), type: 'function', function: { ...key('name', name), arguments: args } }
}

function block(piece: Piece): unknown {
  switch (piece.kind) {
    case 'text':
      return { type: 'text', ...key('text', piece.text) }
    case 'think':
      return piece.sign === undefined
        ? { type: 'reasoning', reasoning: piece.text }
        : { type: 'thinking', thinking: piece.text, signature: piece.sign }
    case 'call':
      return {
        type: 'tool_use',
        ...key('id', piece.id),
        ...key('name', piece.name),
        ...key('input', parsed(piece.args)),
      }
    case 'image':
      return { type: 'image_url', image_url: { url: `data:image/gif;base64,${PIXEL}` } }
    case 'unknown':
      return piece.value
    case 'result':
      return { type: 'text', text: piece.text }
  }
}
