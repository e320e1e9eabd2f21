/** Pieces of other dialects as Anthropic's blocks, and Anthropic's media as pieces. */
import {
  isObject,
  type JsonObject,
  looseText,
  type MediaPiece,
  type NeutralForm,
  own,
  type TextPiece,
} from '../../core/index.ts'
import { textBlock, textOf } from '../blocks.ts'
import { blockWriter, onlyText } from '../compose-messages.ts'
import { foreignLists, marksOf } from '../detect.ts'
import { fromData, fromText, fromUrl, isImage, isPdf } from '../media.ts'

export const neutral: NeutralForm = {
  ...marksOf('anthropic-messages'),
  ...foreignLists,
  mediaOf(value) {
    const source = value['source']
    if (value['type'] === 'search_result') return wordsFrom(value['title'], source, looseText(value['content']))
    if (!isObject(source)) return undefined
    if (source['type'] === 'text') return wordsFrom(value['title'], value['context'], source['data'])
    if (source['type'] === 'content') return wordsFrom(value['title'], value['context'], looseText(source['content']))
    const type = source['media_type'] ?? (value['type'] === 'document' ? 'application/pdf' : undefined)
    return source['type'] === 'url' ? fromUrl(source['url'], type) : fromData(source['data'], type)
  },
  takesMedia: (media, role) => (isImage(media) || isPdf(media)) && role !== 'assistant',
  compose(role, pieces, base = {}) {
    const content = onlyText(pieces) ?? pieces.map(block)
    return [{ ...base, role: role === 'assistant' || role === 'system' ? role : 'user', content }]
  },
  instructions({ system }) {
    const texts = Array.isArray(system) ? system.map((one) => textOf(own(one, 'text'))) : [textOf(system)]
    const text = texts.filter((one) => one !== '').join('\n\n')
    return text === '' ? undefined : { key: 'system', text }
  },
}

function wordsFrom(...values: readonly unknown[]): TextPiece | undefined {
  const texts = values.map(textOf).filter((text) => text !== '')
  return fromText(texts.join('\n'))
}

const block = blockWriter({
  text: textBlock,
  media: mediaBlock,
  call: ({ id, name, arguments: input }) => ({ type: 'tool_use', id: id ?? '', name, input }),
  result({ id, text, media, failed }) {
    const blocks = [...(text === '' ? [] : [textBlock(text)]), ...media.map(mediaBlock)]
    const content = media.length > 0 ? blocks : text
    return { type: 'tool_result', tool_use_id: id ?? '', content, ...(failed ? { is_error: true } : {}) }
  },
})

function mediaBlock(media: MediaPiece): JsonObject {
  const { mediaType = 'image/png', data, url } = media
  const source = data === undefined ? { type: 'url', url } : { type: 'base64', media_type: mediaType, data }
  return { type: isPdf(media) ? 'document' : 'image', source }
}
