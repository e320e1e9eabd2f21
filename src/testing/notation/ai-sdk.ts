/**
 * Lines as ModelMessages of the AI SDK, version 5 and later.
 */
import type { Line, Piece } from './grammar.ts'
import { key, type NameOf, type Native, PIXEL, parsed, sign, stringOr } from './pieces.ts'

export function writeAiSdk({ role, pieces }: Line, nameOf: NameOf): readonly unknown[] {
  const nothing = role === 'system' || role === 'user' ? '' : []
  return [{ role, content: stringOr(pieces, (piece) => aiSdkPart(piece, nameOf), nothing) }]
}

function aiSdkPart(piece: Piece, nameOf: NameOf): Native {
  switch (piece.kind) {
    case 'text':
      return { type: 'text', text: piece.text }
    case 'think': {
      const signed = piece.signed ? { providerOptions: { anthropic: { signature: sign(piece.text) } } } : {}
      return { type: 'reasoning', text: piece.text, ...signed }
    }
    case 'call':
    case 'server': {
      const call = { ...key('toolCallId', piece.id), ...key('toolName', piece.name), input: parsed(piece.args) }
      return { type: 'tool-call', ...call, ...(piece.kind === 'server' ? { providerExecuted: true } : {}) }
    }
    case 'result':
    case 'served': {
      const type = piece.kind === 'result' && piece.failed ? 'error-text' : 'text'
      const output = { type, value: piece.text }
      return { type: 'tool-result', ...key('toolCallId', piece.id), toolName: nameOf(piece.id), output }
    }
    case 'image':
      return { type: 'image', image: PIXEL, mediaType: 'image/gif' }
  }
}
