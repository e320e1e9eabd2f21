/**
 * Lines as LangChain messages in their plain form, which every LangChain entry point accepts.
 */
import type { Line, Piece } from './grammar.ts'
import { key, type Native, PIXEL, parsed, sign, stringOr } from './pieces.ts'

export function writeLangchain({ role, pieces }: Line): readonly unknown[] {
  if (role === 'tool') {
    return pieces.map((piece) =>
      piece.kind === 'result'
        ? {
            role,
            content: piece.text,
            ...key('tool_call_id', piece.id),
            ...(piece.failed ? { status: 'error' } : {}),
          }
        : {},
    )
  }
  const calls = pieces.filter((piece) => piece.kind === 'call')
  const content = pieces.filter((piece) => piece.kind !== 'call')
  const message: Native = { role, content: stringOr(content, block, '') }
  if (calls.length > 0) {
    message['tool_calls'] = calls.map(({ id, name, args }) => ({
      ...key('name', name),
      args: parsed(args),
      ...key('id', id),
      type: 'tool_call',
    }))
  }
  return [message]
}

function block(piece: Piece): Native {
  if (piece.kind === 'image') return { type: 'image_url', image_url: { url: `data:image/gif;base64,${PIXEL}` } }
  if (piece.kind !== 'think') return { type: 'text', text: 'text' in piece ? piece.text : '' }
  if (!piece.signed) return { type: 'reasoning', reasoning: piece.text }
  return { type: 'thinking', thinking: piece.text, signature: sign(piece.text) }
}
