/** OpenAI Responses: items of several kinds. */
import type { Message, Piece } from './pieces.ts'
import { DEFAULT_FEATURES, key, type Native, PIXEL, type Shape } from './shape.ts'
import type { Tape } from './tape.ts'

export const responsesShape: Shape = {
  features: { ...DEFAULT_FEATURES, think: true, sign: 'gAAAAABc2lnbmVk' },
  write({ role, pieces }, tape, wild, form) {
    if (pieces.length === 0) return [empty(role, tape, wild)]
    const items: unknown[] = []
    let pending: Piece[] = []
    for (const piece of pieces) {
      if (piece.kind === 'text' || piece.kind === 'image') {
        // Each text of an answer is usually an item of its own.
        if (role === 'assistant' && pending.length > 0 && !tape.chance(50))
          items.push(message(role, pending.splice(0), tape))
        pending.push(piece)
        continue
      }
      if (pending.length > 0) items.push(message(role, pending, tape))
      pending = []
      items.push(item(piece, tape, wild, form))
    }
    if (pending.length > 0) items.push(message(role, pending, tape))
    return items
  },
}

function empty(role: Message['role'], tape: Tape, wild: boolean): Native {
  if (role === 'assistant' && !wild) return { type: 'message', role, content: [] }
  return { role: roleOf(role), content: tape.pick(wild ? ['', null, []] : ['']) }
}

function roleOf(role: Message['role']): string {
  return role === 'tool' ? 'user' : role
}

function message(role: Message['role'], pieces: readonly Piece[], tape: Tape): Native {
  const [first] = pieces
  const isAnswer = role === 'assistant'
  const type = tape.chance(50) === isAnswer ? {} : { type: 'message' }
  const plain = pieces.length === 1 && first!.kind === 'text' && tape.chance(50) === isAnswer
  return {
    ...type,
    role: roleOf(role),
    content: plain ? (first as { text: unknown }).text : pieces.map((piece) => block(piece, role)),
  }
}

function block(piece: Piece, role: Message['role']): Native {
  if (piece.kind !== 'text') return { type: 'input_image', image_url: `data:image/gif;base64,${PIXEL}` }
  return { type: role === 'assistant' ? 'output_text' : 'input_text', ...key('text', piece.text) }
}

function item(piece: Piece, tape: Tape, wild: boolean, form: number): unknown {
  switch (piece.kind) {
    case 'call':
      return custom(piece.name, form)
        ? { type: 'custom_tool_call', ...key('call_id', piece.id), name: piece.name, input: piece.args }
        : { type: 'function_call', ...key('call_id', piece.id), ...key('name', piece.name), arguments: piece.args }
    case 'result': {
      const output =
        typeof piece.text === 'string' && tape.chance(15) ? [{ type: 'input_text', text: piece.text }] : piece.text
      const type = custom(piece.name, form) ? 'custom_tool_call_output' : 'function_call_output'
      return { type, ...key(wild && tape.chance(4) ? 'callId' : 'call_id', piece.id), ...key('output', output) }
    }
    case 'think':
      return {
        type: 'reasoning',
        ...(wild && tape.chance(20) ? { id: `rs_${tape.upTo(4)}` } : {}),
        summary: [{ type: 'summary_text', text: piece.text }],
        ...key('encrypted_content', piece.sign),
      }
    case 'unknown':
      return piece.value
    default:
      return {}
  }
}

/** In most histories one tool is a custom one: its calls and outputs are of that kind. */
function custom(name: unknown, form: number): boolean {
  return form > 0 && name === 'bash'
}
