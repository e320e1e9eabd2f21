/**
 * Pieces of other dialects as chat messages, and chat's media as pieces.
 */
import { isObject, type JsonObject, type NeutralForm, own, type Piece, type Role, wordOf } from '../../core/index.ts'
import { textBlock, textOf } from '../blocks.ts'
import { argumentText, composeMessages, contentBlock, imageBlock, onlyText } from '../compose-messages.ts'
import { foreignParts, marksOf } from '../detect.ts'
import { fromData, fromUrl, isImage } from '../media.ts'

/** `reasoning_content` is a part. */
const REASONING = ['reasoning', 'reasoning_details']

export const neutral: NeutralForm = {
  ...marksOf('openai-chat'),
  ...foreignParts,
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
      media: imageBlock,
      label: (text) => textBlock(text),
    }),
}

function message(role: Role, said: readonly Piece[], calls: readonly Piece[], base: JsonObject = {}): JsonObject {
  const content = said.length === 0 && calls.length > 0 ? null : (onlyText(said) ?? said.map(contentBlock))
  const { tool_calls: _calls, ...rest } = base
  return { ...rest, role, content, ...(calls.length > 0 ? { tool_calls: calls.map(call) } : {}) }
}

function call(piece: Piece): unknown {
  if (piece.kind === 'native') return piece.part.value
  if (piece.kind !== 'call') return undefined
  const { id, name } = piece
  return { id: id ?? '', type: 'function', function: { name, arguments: argumentText(piece) } }
}
