/** Pieces of other dialects as ModelMessages, and their media as pieces. */
import type { JsonObject, MediaPiece, NeutralForm, Piece, Role } from '../../core/index.ts'
import { textBlock } from '../blocks.ts'
import { blockWriter, onlyText } from '../compose-messages.ts'
import { foreignLists, marksOf } from '../detect.ts'
import { fromData, fromUrl, isImage } from '../media.ts'

export const neutral: NeutralForm = {
  ...marksOf('ai-sdk'),
  hasForeignFields: (message) =>
    foreignLists.hasForeignFields(message) || (message['role'] === 'tool' && !Array.isArray(message['content'])),
  mediaOf(value) {
    const data = value['image'] ?? value['data']
    if (data instanceof URL) return fromUrl(data.href, value['mediaType'])
    return typeof data === 'string' && /^(?:https?|data):/.test(data)
      ? fromUrl(data, value['mediaType'])
      : fromData(data, value['mediaType'])
  },
  takesMedia: (_media, role) => role !== 'system',
  compose,
}

function compose(role: Role, pieces: readonly Piece[], base?: JsonObject): readonly unknown[] {
  const results = pieces.filter((piece) => piece.kind === 'result')
  const rest = pieces.filter((piece) => piece.kind !== 'result')
  const messages: unknown[] = results.length > 0 ? [{ role: 'tool', content: results.map(part) }] : []
  if (rest.length === 0) return messages
  const speaker = role === 'assistant' || role === 'system' || (role === 'tool' && base) ? role : 'user'
  if (speaker === 'system') {
    const text = rest.map((piece) => ('text' in piece ? piece.text : '')).join('\n\n')
    return [...messages, { ...base, role: speaker, content: text }]
  }
  const message = { ...base, role: speaker, content: onlyText(rest) ?? rest.map(part) }
  return speaker === 'assistant' ? [message, ...messages] : [...messages, message]
}

const part = blockWriter({
  text: textBlock,
  media: mediaPart,
  call: ({ id = '', name, arguments: input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input }),
  result: (piece) => ({
    type: 'tool-result',
    toolCallId: piece.id ?? '',
    toolName: piece.name ?? '',
    output: output(piece),
  }),
})

function mediaPart(media: MediaPiece): JsonObject {
  const { mediaType, data, url } = media
  if (isImage(media)) return { type: 'image', image: url ?? data, ...(mediaType === undefined ? {} : { mediaType }) }
  return { type: 'file', data: url ?? data, mediaType: mediaType ?? 'application/octet-stream' }
}

function output({ text, media, failed }: Extract<Piece, { kind: 'result' }>): JsonObject {
  const inline = media.filter(({ data }) => data !== undefined)
  if (inline.length === 0) return { type: failed ? 'error-text' : 'text', value: text }
  const files = inline.map(({ data, mediaType = 'image/png' }) => ({ type: 'media', data, mediaType }))
  return { type: 'content', value: [...(text === '' ? [] : [textBlock(text)]), ...files] }
}
