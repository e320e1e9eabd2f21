/** Pieces of other dialects as Converse blocks, and Converse's media as pieces. */
import { isObject, type JsonObject, type MediaPiece, type NeutralForm, own } from '../../core/index.ts'
import { textOf } from '../blocks.ts'
import { blockWriter } from '../compose-messages.ts'
import { foreignLists, marksOf } from '../detect.ts'
import { fromData, fromText, fromUrl, isImage } from '../media.ts'

/** Keys of media, and the kinds of their media types. */
const KINDS: Readonly<Record<string, string>> = { image: 'image', document: 'application', video: 'video' }
const FORMATS = ['png', 'jpeg', 'gif', 'webp']

export const neutral: NeutralForm = {
  ...marksOf('bedrock-converse'),
  ...foreignLists,
  mediaOf(value) {
    const key = Object.keys(KINDS).find((one) => isObject(value[one]))
    if (key === undefined) return isObject(value['searchResult']) ? fromText(textOf(value['searchResult'])) : undefined
    const { source, format } = value[key] as JsonObject
    const type = `${KINDS[key]}/${textOf(format)}`
    const link = own(own(source, 's3Location'), 'uri')
    return fromText(own(source, 'text')) ?? fromData(own(source, 'bytes'), type) ?? fromUrl(link, type)
  },
  wordsOf(value) {
    if (value['cachePoint'] !== undefined) return ''
    const guarded = own(own(value['guardContent'], 'text'), 'text')
    if (typeof guarded === 'string') return guarded
    const cited = own(value['citationsContent'], 'content')
    return Array.isArray(cited) ? cited.map((one) => textOf(own(one, 'text'))).join('') : undefined
  },
  takesMedia: (media) => isImage(media) && media.data !== undefined && FORMATS.includes(formatOf(media)),
  compose: (role, pieces, base = {}) => [
    { ...base, role: role === 'assistant' || role === 'system' ? role : 'user', content: pieces.map(block) },
  ],
  instructions({ system }) {
    const texts = Array.isArray(system) ? system.map((one) => textOf(own(one, 'text'))) : []
    const text = texts.filter((one) => one !== '').join('\n\n')
    return text === '' ? undefined : { key: 'system', text }
  },
}

const block = blockWriter({
  text: (text) => ({ text }),
  media: mediaBlock,
  call: ({ id, name, arguments: input }) => ({ toolUse: { toolUseId: id ?? '', name, input } }),
  result({ id, text, media, failed }) {
    const texts = text === '' && media.length > 0 ? [] : [{ text }]
    const content = [...texts, ...media.map(mediaBlock)]
    return { toolResult: { toolUseId: id ?? '', content, ...(failed ? { status: 'error' } : {}) } }
  },
})

function mediaBlock(media: MediaPiece): JsonObject {
  return { image: { format: formatOf(media), source: { bytes: media.data } } }
}

function formatOf({ mediaType = 'image/png' }: MediaPiece): string {
  return mediaType.replace('image/', '').replace('jpg', 'jpeg')
}
