/** Pieces of other dialects as chat messages, and chat's media as pieces. */
import { isObject, type JsonObject, type NeutralForm, own, type Piece, type Role, wordOf } from '../../core/index.ts'
import { textOf } from '../blocks.ts'
import { argumentText, composeMessages, contentBlock, onlyText } from '../compose-messages.ts'
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
      message: (speaker, content, calls) => message(speaker, content, calls, base),
      textResults: true,
    }),
}

function message(role: Role, pieces: readonly Piece[], calls: readonly Piece[], base: JsonObject = {}): JsonObject {
  const content = pieces.length === 0 && calls.length > 0 ? null : (onlyText(pieces) ?? pieces.map(contentBlock))
  const { tool_calls: _calls, ...rest } = base
  return { ...rest, role, content, ...(calls.length > 0 ? { tool_calls: calls.map(call) } : {}) }
}

function call(piece: Piece): unknown {
  if (piece.kind === 'native') return piece.part.value
  if (piece.kind !== 'call') return undefined
  const { id, name } = piece
  return { id: id ?? '', type: 'function', function: { name, arguments: argumentText(piece) } }
}
