/** OpenAI chat, with the old `function_call` and the camel-case keys of old histories. */
import type { Piece } from './pieces.ts'
import { DEFAULT_FEATURES, key, type Native, PIXEL, type Shape } from './shape.ts'
import type { Tape } from './tape.ts'

type Call = Extract<Piece, { kind: 'call' }>

export const chatShape: Shape = {
  features: DEFAULT_FEATURES,
  write({ role, pieces }, tape, wild) {
    const results = pieces.filter((piece) => piece.kind === 'result')
    const rest = pieces.filter((piece) => piece.kind !== 'result')
    const messages: Native[] = results.map((piece) => ({
      role: wild && tape.chance(2) ? 'function' : 'tool',
      ...key(wild && tape.chance(5) ? tape.pick(['toolCallId', 'callId']) : 'tool_call_id', piece.id),
      ...(tape.chance(20) ? key('name', piece.name) : {}),
      content: typeof piece.text === 'string' && tape.chance(15) ? [{ type: 'text', text: piece.text }] : piece.text,
    }))
    if (rest.length > 0 || results.length === 0) messages.push(message(role, rest, tape, wild))
    return messages
  },
}

function message(role: string, pieces: readonly Piece[], tape: Tape, wild: boolean): Native {
  const calls = pieces.filter((piece) => piece.kind === 'call')
  const visible = pieces.filter((piece) => piece.kind === 'text' || piece.kind === 'image' || piece.kind === 'unknown')
  const native: Native = { role }
  for (const piece of pieces) if (piece.kind === 'think') native['reasoning_content'] = piece.text
  native['content'] = content(visible, calls.length > 0, tape, wild)
  if (wild && native['content'] === null && tape.chance(20)) delete native['content']
  if (calls.length === 1 && wild && tape.chance(3)) {
    native['function_call'] = { ...key('name', calls[0]!.name), arguments: calls[0]!.args }
  } else if (calls.length > 0) {
    native[wild && tape.chance(3) ? 'toolCalls' : 'tool_calls'] = calls.map((call) => writeCall(call, tape, wild))
  } else if (wild && tape.chance(3)) native['tool_calls'] = []
  return native
}

function content(pieces: readonly Piece[], calls: boolean, tape: Tape, wild: boolean): unknown {
  const [first] = pieces
  if (!first) return calls ? tape.pick([null, '']) : wild ? tape.pick(['', null, []]) : ''
  if (pieces.length === 1 && first.kind === 'text' && !tape.chance(20)) return first.text
  return pieces.map(block)
}

function block(piece: Piece): unknown {
  if (piece.kind === 'text') return { type: 'text', ...key('text', piece.text) }
  if (piece.kind === 'unknown') return piece.value
  return { type: 'image_url', image_url: { url: `data:image/gif;base64,${PIXEL}` } }
}

function writeCall({ id, name, args }: Call, tape: Tape, wild: boolean): unknown {
  if (wild && tape.chance(2))
    return tape.pick<unknown>([null, 'call', { ...key('id', id), ...key('name', name), args }])
  return { ...key('id', id), type: 'function', function: { ...key('name', name), arguments: args } }
}
