/**
 * Pieces of other dialects as interface messages, and their files as pieces. A result goes into the part of its call.
 */
import { hash, type JsonObject, type NeutralForm, type Piece, type ResultPiece, type Role } from '../../core/index.ts'
import { nativeBlock, textBlock, textOf } from '../blocks.ts'
import { marksOf } from '../detect.ts'
import { fromUrl, toUrl } from '../media.ts'
import { finished } from './tool-parts.ts'

export const neutral: NeutralForm = {
  ...marksOf('ai-sdk-ui'),
  hasForeignFields: (message) => message['parts'] === undefined,
  mediaOf: (value) => fromUrl(value['url'], value['mediaType']),
  takesMedia: (_media, role) => role !== 'system',
  compose,
}

function compose(role: Role, pieces: readonly Piece[], base?: JsonObject): readonly unknown[] {
  const parts: unknown[] = []
  const calls = new Map<string | undefined, number>()
  for (const piece of pieces) {
    const at = piece.kind === 'result' ? calls.get(piece.id) : undefined
    if (piece.kind === 'result' && at !== undefined) parts[at] = answered(parts[at] as JsonObject, piece)
    else parts.push(part(piece))
    if (piece.kind === 'call') calls.set(piece.id, parts.length - 1)
  }
  const speaker = role === 'system' || role === 'user' ? role : 'assistant'
  return [{ id: hash(speaker + textOf(parts)), ...base, role: speaker, parts }]
}

function part(piece: Piece): unknown {
  switch (piece.kind) {
    case 'native':
      return nativeBlock(piece.part)
    case 'text':
      return textBlock(piece.text)
    case 'media':
      return { type: 'file', mediaType: piece.mediaType ?? 'image/png', url: toUrl(piece) }
    case 'call':
      return {
        type: `tool-${piece.name}`,
        toolCallId: piece.id ?? '',
        state: 'input-available',
        input: piece.arguments,
      }
    case 'result': {
      const call = { type: 'dynamic-tool', toolName: piece.name ?? '', toolCallId: piece.id ?? '', input: {} }
      return answered(call, piece)
    }
  }
}

function answered(call: JsonObject, { text, failed }: ResultPiece): JsonObject {
  return finished(call, text, !failed)
}
