/** Anthropic Messages, with thinking, the provider's own tools, and prompts next to results. */
import type { Piece } from './pieces.ts'
import { DEFAULT_FEATURES, key, listOrText, type Native, PIXEL, parsed, type Shape } from './shape.ts'
import type { Tape } from './tape.ts'

const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: PIXEL } }

export const anthropicShape: Shape = {
  features: { ...DEFAULT_FEATURES, system: false, think: true, server: true, promptBesideResults: true },
  write({ role, pieces }, tape, wild) {
    const content = listOrText(pieces, tape, (piece) => block(piece, tape, wild))
    return [{ role: role === 'tool' ? 'user' : role, content }]
  },
}

function block(piece: Piece, tape: Tape, wild: boolean): unknown {
  switch (piece.kind) {
    case 'text':
      return {
        type: 'text',
        ...key('text', piece.text),
        ...(wild && tape.chance(4) ? { cache_control: { type: 'ephemeral' } } : {}),
      }
    case 'think':
      if (wild && tape.chance(15)) return { type: 'redacted_thinking', data: piece.sign ?? '' }
      return { type: 'thinking', thinking: piece.text, ...key('signature', piece.sign) }
    case 'call': {
      const type = piece.server ? 'server_tool_use' : 'tool_use'
      return { type, ...key('id', piece.id), ...key('name', piece.name), ...key('input', parsed(piece.args)) }
    }
    case 'result':
      return result(piece, tape)
    case 'image':
      return IMAGE
    case 'unknown':
      return piece.value
  }
}

function result(piece: Extract<Piece, { kind: 'result' }>, tape: Tape): Native {
  if (piece.server) {
    const page = { title: piece.text, url: 'https://example.org', encrypted_content: 'gAAA342p2v2t' }
    const found = { type: 'web_search_result', ...page }
    return { type: `${String(piece.name)}_tool_result`, ...key('tool_use_id', piece.id), content: [found] }
  }
  const asList = piece.media || tape.chance(30)
  const content = asList ? [{ type: 'text', text: piece.text }, ...(piece.media ? [IMAGE] : [])] : piece.text
  return { type: 'tool_result', ...key('tool_use_id', piece.id), content, ...(piece.failed ? { is_error: true } : {}) }
}
