/**
 * Lines as items of OpenAI Responses: a message, a reasoning, a call, an output each.
 */
import type { Line, Piece } from './grammar.ts'
import { key, type Native, PIXEL, sign, stringOr } from './pieces.ts'

export function writeResponses({ role, pieces }: Line): readonly unknown[] {
  if (role === 'assistant') {
    return pieces.length === 0 ? [{ type: 'message', role, content: [] }] : pieces.map(assistantItem)
  }
  if (role === 'tool') {
    return pieces.map((piece) =>
      piece.kind === 'result' ? { type: 'function_call_output', ...key('call_id', piece.id), output: piece.text } : {},
    )
  }
  return [{ role, content: stringOr(pieces, inputBlock, '') }]
}

function assistantItem(piece: Piece): Native {
  switch (piece.kind) {
    case 'think':
      return {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: piece.text }],
        ...(piece.signed ? { encrypted_content: sign(piece.text) } : {}),
      }
    case 'call':
      return { type: 'function_call', ...key('call_id', piece.id), ...key('name', piece.name), arguments: piece.args }
    default: {
      const text = 'text' in piece ? piece.text : ''
      return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }
    }
  }
}

function inputBlock(piece: Piece): Native {
  if (piece.kind === 'text') return { type: 'input_text', text: piece.text }
  return { type: 'input_image', image_url: `data:image/gif;base64,${PIXEL}` }
}
