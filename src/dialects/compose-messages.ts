/** Pieces as messages, for dialects with a message for each result and a list of calls beside the content. */
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
  message(role: Role, content: readonly Piece[], calls: readonly Piece[]): unknown
  /** A result holds only text: its media follow in a message of the user. */
  readonly textResults?: true
}

export function composeMessages(role: Role, pieces: readonly Piece[], forms: MessageForms): readonly unknown[] {
  const speaker: Role = role === 'assistant' || role === 'system' ? role : 'user'
  const messages: unknown[] = []
  const shown: Piece[] = []
  let content: Piece[] = []
  let calls: Piece[] = []
  const flush = (): void => {
    if (content.length > 0 || calls.length > 0) messages.push(forms.message(speaker, content, calls))
    content = []
    calls = []
  }
  for (const piece of pieces) {
    if (piece.kind === 'result') {
      flush()
      messages.push(forms.result(piece))
      if (forms.textResults && piece.media.length > 0)
        shown.push({ kind: 'text', text: `[media of the result ${piece.id ?? ''}]` }, ...piece.media)
    } else if (piece.kind === 'call' || (piece.kind === 'native' && piece.part.kind === 'call')) calls.push(piece)
    else if (piece.kind !== 'native' || piece.part.list.at(-1) === 'content') content.push(piece)
  }
  if (shown.length > 0 && speaker === 'user') content = [...shown, ...content]
  flush()
  return messages
}

/** How a dialect with one list of blocks writes each kind of piece. */
export interface BlockForms {
  text(text: string): JsonObject
  media(piece: MediaPiece): JsonObject
  call(piece: CallPiece): JsonObject
  result(piece: ResultPiece): JsonObject
}

export function blockWriter(forms: BlockForms): (piece: Piece) => unknown {
  return (piece) => {
    switch (piece.kind) {
      case 'native':
        return nativeBlock(piece.part, forms.text)
      case 'text':
        return forms.text(piece.text)
      case 'media':
        return forms.media(piece)
      case 'call':
        return forms.call(piece)
      case 'result':
        return forms.result(piece)
    }
  }
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

/** The text of the only piece; undefined if there are others. */
export function onlyText(pieces: readonly Piece[]): string | undefined {
  const [first] = pieces
  return pieces.length === 1 && first?.kind === 'text' ? first.text : undefined
}
