/**
 * Pieces as messages, for dialects in which a result is a message of its own and calls are listed apart from the content.
 */
import {
  type CallPiece,
  type JsonObject,
  jsonText,
  type MediaPiece,
  type Piece,
  type ResultPiece,
  type Role,
} from '../core/index.ts'
import { nativeBlock, textBlock } from './blocks.ts'
import { toUrl } from './media.ts'

export interface MessageForms {
  result(piece: ResultPiece): unknown
  message(role: Role, said: readonly Piece[], calls: readonly Piece[]): unknown
  /** Absent: a result holds its media itself. */
  readonly media?: (piece: MediaPiece) => unknown
  readonly label?: (text: string) => unknown
}

/** Media of results that hold only text follow the results in a message of the user. */
export function composeMessages(role: Role, pieces: readonly Piece[], forms: MessageForms): readonly unknown[] {
  const speaker: Role = role === 'assistant' || role === 'system' ? role : 'user'
  const messages: unknown[] = []
  const shown: Piece[] = []
  let said: Piece[] = []
  let calls: Piece[] = []
  const flush = (): void => {
    if (said.length > 0 || calls.length > 0) messages.push(forms.message(speaker, said, calls))
    said = []
    calls = []
  }
  for (const piece of pieces) {
    if (piece.kind === 'result') {
      flush()
      messages.push(forms.result(piece))
      if (forms.media && piece.media.length > 0)
        shown.push({ kind: 'text', text: `[media of the result ${piece.id ?? ''}]` }, ...piece.media)
    } else if (piece.kind === 'call' || (piece.kind === 'native' && piece.part.kind === 'call')) calls.push(piece)
    else if (piece.kind !== 'native' || piece.part.list.at(-1) === 'content') said.push(piece)
  }
  if (shown.length > 0 && speaker === 'user') said = [...shown, ...said]
  flush()
  return messages
}

/** A piece of a content in blocks of OpenAI's shape. */
export function contentBlock(piece: Piece): unknown {
  if (piece.kind === 'native') return nativeBlock(piece.part)
  return piece.kind === 'media' ? imageBlock(piece) : textBlock('text' in piece ? piece.text : '')
}

export function imageBlock(media: MediaPiece): JsonObject {
  return { type: 'image_url', image_url: { url: toUrl(media) } }
}

/** Arguments as JSON text. */
export function argumentText({ arguments: args }: CallPiece): string {
  return jsonText(args) ?? '{}'
}

/** The text, if it is all there is. */
export function onlyText(pieces: readonly Piece[]): string | undefined {
  const [first] = pieces
  return pieces.length === 1 && first?.kind === 'text' ? first.text : undefined
}
