/** Pieces of other dialects as LangChain messages, and LangChain's media as pieces. */
import {
  isObject,
  type JsonObject,
  type MediaPiece,
  type NeutralForm,
  own,
  type Piece,
  type Role,
} from '../../core/index.ts'
import { textBlock } from '../blocks.ts'
import { composeMessages, contentBlock, imageBlock, onlyText } from '../compose-messages.ts'
import { foreignParts, marksOf } from '../detect.ts'
import { fromData, fromUrl, isImage } from '../media.ts'
import { type Form, fieldsOf, formOf, withFields } from './forms.ts'

type Write = (role: 'user' | 'assistant' | 'tool', fields: JsonObject) => JsonObject

export function neutralIn(form: Form, wrap: Write): NeutralForm {
  return {
    ...marksOf('langchain'),
    ...foreignParts,
    mediaOf,
    takesMedia: (media, role) => isImage(media) && role !== 'assistant',
    compose: (role, pieces, base) =>
      composeMessages(role, pieces, {
        result: ({ id, name, text, media, failed }) =>
          wrap('tool', {
            content: media.length > 0 ? [textBlock(text), ...media.map(imageBlock)] : text,
            tool_call_id: id ?? '',
            ...(name === undefined ? {} : { name }),
            status: failed ? 'error' : 'success',
          }),
        message: (speaker, content, calls) => message(speaker, content, calls, base, wrap, form),
      }),
  }
}

function message(
  role: Role,
  pieces: readonly Piece[],
  calls: readonly Piece[],
  base: JsonObject | undefined,
  wrap: Write,
  form: Form,
): unknown {
  const content = pieces.length === 0 ? '' : (onlyText(pieces) ?? pieces.map(contentBlock))
  const fields = { content, ...(calls.length > 0 ? { tool_calls: calls.map(call) } : {}) }
  if (base) return withFields(base, formOf(base), { ...fieldsOf(base, formOf(base)), ...fields })
  if (role === 'system') return systemMessage(wrap('user', fields), form)
  return wrap(role as 'user' | 'assistant', fields)
}

/** The writers have no system role: a user's message becomes a system message. */
function systemMessage(message: JsonObject, { inner }: Form): JsonObject {
  if (inner === 'data') return { ...message, type: 'system' }
  if (inner === 'kwargs') return { ...message, id: ['langchain_core', 'messages', 'SystemMessage'] }
  return { role: 'system', content: message['content'] }
}

function call(piece: Piece): unknown {
  if (piece.kind === 'native') return piece.part.value
  if (piece.kind !== 'call') return undefined
  return { name: piece.name, args: piece.arguments, id: piece.id ?? '', type: 'tool_call' }
}

/** Media in the shape of OpenAI, of LangChain (`source_type`) and of Anthropic. */
function mediaOf(value: JsonObject): MediaPiece | undefined {
  const image = value['image_url']
  if (image !== undefined) return fromUrl(isObject(image) ? image['url'] : image)
  const type = value['mime_type'] ?? value['mimeType'] ?? value['media_type']
  const { source } = value
  if (isObject(source)) return fromData(own(source, 'data'), own(source, 'media_type')) ?? fromUrl(own(source, 'url'))
  return fromUrl(value['url'], type) ?? fromData(value['data'], type)
}
