/** Bedrock Converse blocks. */
import type { Piece } from './pieces.ts'
import { DEFAULT_FEATURES, key, PIXEL, parsed, type Shape } from './shape.ts'
import type { Tape } from './tape.ts'

const IMAGE = { image: { format: 'gif', source: { bytes: PIXEL } } }

export const bedrockShape: Shape = {
  features: { ...DEFAULT_FEATURES, system: false, think: true, textBesideCalls: false },
  write({ role, pieces }, tape, wild) {
    return [{ role: role === 'tool' ? 'user' : role, content: pieces.map((piece) => block(piece, tape, wild)) }]
  },
}

function block(piece: Piece, tape: Tape, wild: boolean): unknown {
  switch (piece.kind) {
    case 'text':
      return key('text', piece.text)
    case 'think':
      if (wild && tape.chance(10)) return { reasoningContent: { redactedContent: piece.sign ?? '' } }
      return { reasoningContent: { reasoningText: { text: piece.text, ...key('signature', piece.sign) } } }
    case 'call':
      return {
        toolUse: { ...key('toolUseId', piece.id), ...key('name', piece.name), ...key('input', parsed(piece.args)) },
      }
    case 'result': {
      const value = tape.chance(10) ? { json: { said: piece.text } } : { text: piece.text }
      const content = wild && tape.chance(5) ? [] : [value, ...(piece.media ? [IMAGE] : [])]
      return { toolResult: { ...key('toolUseId', piece.id), content, ...(piece.failed ? { status: 'error' } : {}) } }
    }
    case 'image':
      return IMAGE
    case 'unknown':
      return piece.value
  }
}
