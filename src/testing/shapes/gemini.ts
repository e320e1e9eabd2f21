/** Gemini contents, with and without ids, in camel and snake case. */
import type { Piece } from './pieces.ts'
import { DEFAULT_FEATURES, key, PIXEL, parsed, type Shape } from './shape.ts'
import type { Tape } from './tape.ts'

export const geminiShape: Shape = {
  features: { ...DEFAULT_FEATURES, system: false, think: true, sign: 'CpABc2lnbmVk', signedCalls: true, noIds: true },
  write({ role, pieces }, tape, wild) {
    const name = role === 'assistant' ? 'model' : role === 'tool' && wild && tape.chance(10) ? 'function' : 'user'
    return [{ role: role === 'system' ? 'system' : name, parts: pieces.map((piece) => part(piece, tape, wild)) }]
  },
}

function part(piece: Piece, tape: Tape, wild: boolean): unknown {
  const snake = wild && tape.chance(5)
  switch (piece.kind) {
    case 'text':
      return key('text', piece.text)
    case 'think':
      return { text: piece.text, thought: true, ...key('thoughtSignature', piece.sign) }
    case 'call': {
      const call = { ...key('id', piece.id), ...key('name', piece.name), ...key('args', parsed(piece.args)) }
      return { [snake ? 'function_call' : 'functionCall']: call, ...key('thoughtSignature', piece.sign) }
    }
    case 'result': {
      const response = wild && tape.chance(10) ? piece.text : { [piece.failed ? 'error' : 'output']: piece.text }
      const answer = { ...key('id', piece.id), ...key('name', piece.name), ...key('response', response) }
      return { [snake ? 'function_response' : 'functionResponse']: answer }
    }
    case 'image':
      return { inlineData: { mimeType: 'image/gif', data: PIXEL } }
    case 'unknown':
      return piece.value
  }
}
