/**
 * Pieces of other dialects as chat messages, and chat's media as pieces.
 */
import {
  isObject,
  type JsonObject,
  type MediaPiece,
  type NeutralForm,
  own,
  type Piece,
  type Role,
  wordOf,
} from '../../core/index.ts'
import { listOf, nativeBlock, textBlock, textOf } from '../blocks.ts'
import { argumentText, composeMessages, onlyText } from '../compose-messages.ts'
import { marksOf } from '../detection-marks.ts'
import { fromData, fromUrl, isImage, toUrl } from '../media.ts'

/** `reasoning_content` is a part. */
const REASONING = ['reasoning', 'reasoning_details']

export const neutral: NeutralForm = {
  ...marksOf('openai-chat'),
  // A tool message of the AI SDK names its calls inside its content.
  foreignKeys: ['parts', 'toolCallId'],
  hasForeignFields: (message) =>
    (message['content'] === undefined && message['parts'] !== undefined) ||
    (message['role'] === 'tool' && own(listOf(message['content'])[0], 'toolCallId') !== undefined),
  mediaOf(value) {
    const image = value['image_url']
    if (image !== undefined) return fromUrl(isObject(image) ? image['url'] : image)
    const audio = value['input_audio']
    if (isObject(audio)) return fromData(audio['data'], `audio/${wordOf(audio['format'])}`)
    return fromUrl(own(value['file'], 'file_data'))
  },
  beside: (message) => ({
    text: textOf(message['refusal']),
    lost: REASONING.filter((key) => message[key] !== undefined && message[key] !== null),
  }),
  takesMedia: (media, role) => isImage(media) && role === 'user',
  compose: (role, pieces, base) =>
    composeMessages(role, pieces, {
      result: ({ id, text }) => ({ role: 'tool', tool_call_id: id ?? '', content: text }),
      message: (speaker, said, calls) => message(speaker, said, calls, base),
      media: mediaBlock,
      label: (text) => textBlock(text),
    }),
}

function message(role: Role, said: readonly Piece[], calls: readonly Piece[], base: JsonObject = {}): JsonObject {
  const content = said.length === 0 && calls.length > 0 ? null : (onlyText(said) ?? said.map(block))
  const { tool_calls: _calls, ...rest } = base
  return { ...rest, role, content, ...(calls.length > 0 ? { tool_calls: calls.map(call) } : {}) }
}

function block(piece: Piece): unknown {
  if (piece.kind === 'native') return nativeBlock(piece.part)
  return piece.kind === 'media' ? mediaBlock(piece) : textBlock('text' in piece ? piece.text : '')
}

function mediaBlock(media: MediaPiece): JsonObject {
  return { type: 'image_url', image_url: { url: toUrl(media) } }
}

function call(piece: Piece): unknown {
  if (piece.kind === 'native') return piece.part.value
  if (piece.kind !== 'call') return undefined
  const { id, name } = piece
  return { id: id ?? '', type: 'function', function: { name, arguments: argumentText(piece) } }
}
