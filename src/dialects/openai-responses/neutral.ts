/** Pieces of other dialects as items of OpenAI Responses, and their media as pieces. */
import type { JsonObject, MediaPiece, NeutralForm, Piece, Role } from '../../core/index.ts'
import { argumentText, onlyText } from '../compose-messages.ts'
import { foreignLists, marksOf } from '../detect.ts'
import { fromData, fromUrl, isImage, isPdf, toUrl, typeOfLink } from '../media.ts'

export const neutral: NeutralForm = {
  ...marksOf('openai-responses'),
  ...foreignLists,
  mediaOf: (value) =>
    fromUrl(value['image_url']) ??
    fromUrl(value['file_url'], typeOfLink(value['file_url'])) ??
    (value['type'] === 'image_generation_call' ? fromData(value['result'], 'image/png') : undefined) ??
    (typeof value['file_data'] === 'string' && !value['file_data'].startsWith('data:')
      ? fromData(value['file_data'], 'application/pdf')
      : fromUrl(value['file_data'])),
  takesMedia: (media, role) => (isImage(media) || isPdf(media)) && role !== 'assistant',
  compose,
  instructions: ({ instructions }) =>
    typeof instructions === 'string' && instructions !== '' ? { key: 'instructions', text: instructions } : undefined,
}

function compose(role: Role, pieces: readonly Piece[], base?: JsonObject): readonly unknown[] {
  const speaker = role === 'assistant' || role === 'system' ? role : 'user'
  const items: unknown[] = []
  let content: Piece[] = []
  const flush = (): void => {
    if (content.length > 0) items.push(message(speaker, content, base))
    content = []
  }
  for (const piece of pieces) {
    if (piece.kind !== 'call' && piece.kind !== 'result') {
      content.push(piece)
      continue
    }
    flush()
    items.push(piece.kind === 'call' ? callItem(piece) : outputItem(piece))
  }
  flush()
  return items
}

function message(role: string, content: readonly Piece[], base: JsonObject = {}): JsonObject {
  return { ...base, role, content: onlyText(content) ?? content.map((piece) => block(role, piece)) }
}

function block(role: string, piece: Piece): unknown {
  if (piece.kind === 'native' && typeof piece.part.value !== 'string') return piece.part.value
  if (piece.kind === 'media') return mediaBlock(piece)
  const text = piece.kind === 'native' ? piece.part.value : 'text' in piece ? piece.text : ''
  return { type: role === 'assistant' ? 'output_text' : 'input_text', text }
}

function mediaBlock(media: MediaPiece): JsonObject {
  if (isImage(media)) return { type: 'input_image', detail: 'auto', image_url: toUrl(media) }
  if (media.url !== undefined) return { type: 'input_file', file_url: media.url }
  return { type: 'input_file', filename: 'file.pdf', file_data: toUrl(media) }
}

function callItem(piece: Extract<Piece, { kind: 'call' }>): JsonObject {
  return { type: 'function_call', call_id: piece.id ?? '', name: piece.name, arguments: argumentText(piece) }
}

function outputItem({ id, text, media }: Extract<Piece, { kind: 'result' }>): JsonObject {
  const output = [...(text === '' ? [] : [{ type: 'input_text', text }]), ...media.map(mediaBlock)]
  return { type: 'function_call_output', call_id: id ?? '', output: media.length > 0 ? output : text }
}
