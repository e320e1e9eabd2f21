/**
 * Pieces of other dialects as Converse blocks, and Converse's media as pieces.
 */
import { isObject, type JsonObject, type MediaPiece, type NeutralForm, own, type Piece } from '../../core/index.ts'
import { nativeBlock, textOf } from '../blocks.ts'
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

function block(piece: Piece): unknown {
  switch (piece.kind) {
    case 'native':
      return nativeBlock(piece.part, (text) => ({ text }))
    case 'text':
      return { text: piece.text }
    case 'media':
      return mediaBlock(piece)
    case 'call':
      return { toolUse: { toolUseId: piece.id ?? '', name: piece.name, input: piece.arguments } }
    case 'result': {
      const texts = piece.text === '' && piece.media.length > 0 ? [] : [{ text: piece.text }]
      const content = [...texts, ...piece.media.map(mediaBlock)]
      return {
        toolResult: { toolUseId: piece.id ?? '', content, ...(piece.failed ? { status: 'error' } : {}) },
      }
    }
  }
}

function mediaBlock(media: MediaPiece): JsonObject {
  return { image: { format: formatOf(media), source: { bytes: media.data } } }
}

function formatOf({ mediaType = 'image/png' }: MediaPiece): string {
  return mediaType.replace('image/', '').replace('jpg', 'jpeg')
}
