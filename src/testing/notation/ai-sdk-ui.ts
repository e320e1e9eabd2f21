/**
 * Lines as UIMessages of the AI SDK. A result has no line of its own there, so only calls without one can be written.
 */
import type { Line, Piece } from './grammar.ts'
import { key, type NameOf, type Native, PIXEL, parsed, sign } from './pieces.ts'

/** Each message has an id of its own: messages of one id are one answer. */
export function writeAiSdkUi({ role, pieces }: Line, _nameOf: NameOf, index: number): readonly unknown[] {
  return [{ id: `m${index}`, role, parts: pieces.map(uiPart) }]
}

function uiPart(piece: Piece): Native {
  switch (piece.kind) {
    case 'think': {
      const signed = piece.signed ? { providerMetadata: { anthropic: { signature: sign(piece.text) } } } : {}
      return { type: 'reasoning', text: piece.text, ...signed }
    }
    case 'call': {
      const call = { ...key('toolCallId', piece.id), state: 'input-available', input: parsed(piece.args) }
      return { type: `tool-${piece.name ?? ''}`, ...call }
    }
    case 'image':
      return { type: 'file', mediaType: 'image/gif', url: `data:image/gif;base64,${PIXEL}` }
    default:
      return { type: 'text', text: 'text' in piece ? piece.text : '' }
  }
}
