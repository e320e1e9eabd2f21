/** ModelMessages of the AI SDK, with the older `args` and `result`, approvals, and tools that the provider runs. */
import type { Piece } from './pieces.ts'
import { DEFAULT_FEATURES, key, listOrText, type Native, PIXEL, parsed, type Shape } from './shape.ts'
import type { Tape } from './tape.ts'

export const aiSdkShape: Shape = {
  features: { ...DEFAULT_FEATURES, think: true, server: true },
  write({ role, pieces }, tape, wild) {
    if (role === 'tool' && wild && tape.chance(3)) {
      return [
        {
          role,
          content: [
            { type: 'tool-approval-response', approvalId: 'ap1', approved: true },
            ...pieces.map((piece) => part(piece, tape, wild)),
          ],
        },
      ]
    }
    const [only, ...more] = pieces
    if (role === 'system' && only?.kind === 'text' && more.length === 0) return [{ role, content: only.text }]
    const nothing = role === 'system' || role === 'user' ? ['', []] : [[], '']
    return [{ role, content: listOrText(pieces, tape, (piece) => part(piece, tape, wild), nothing) }]
  },
}

function part(piece: Piece, tape: Tape, wild: boolean): unknown {
  const old = wild && tape.chance(5)
  switch (piece.kind) {
    case 'text':
      return { type: 'text', ...key('text', piece.text) }
    case 'think': {
      const signed = piece.sign === undefined ? {} : { providerOptions: { anthropic: { signature: piece.sign } } }
      return { type: 'reasoning', text: piece.text, ...signed }
    }
    case 'call': {
      const call = {
        ...key('toolCallId', piece.id),
        ...key('toolName', piece.name),
        ...key(old ? 'args' : 'input', parsed(piece.args)),
      }
      return { type: 'tool-call', ...call, ...(piece.server ? { providerExecuted: true } : {}) }
    }
    case 'result': {
      const output = old ? { result: piece.text } : { output: outputOf(piece, tape) }
      return { type: 'tool-result', ...key('toolCallId', piece.id), ...key('toolName', piece.name), ...output }
    }
    case 'image':
      return { type: 'image', image: PIXEL, mediaType: 'image/gif' }
    case 'unknown':
      return piece.value
  }
}

function outputOf(piece: Extract<Piece, { kind: 'result' }>, tape: Tape): Native {
  if (piece.failed) return { type: 'error-text', value: piece.text }
  if (piece.media)
    return {
      type: 'content',
      value: [
        { type: 'text', text: piece.text },
        { type: 'media', data: PIXEL, mediaType: 'image/gif' },
      ],
    }
  return tape.chance(20) ? { type: 'json', value: { said: piece.text } } : { type: 'text', value: piece.text }
}
