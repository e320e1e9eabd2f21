/**
 * Images, documents and other media in native values of any dialect. Reads keys and first characters, never the whole
 * data.
 */
import { isObject, type MediumKind, type NativeMedia, own, type Part, withKey, wordOf } from '../core/index.ts'

const NONE: readonly never[] = []

/** The blocks of a result that may hold media: its content, or a list beside it. */
function blocksIn({ body, value, type }: Part): readonly unknown[] {
  if (typeof body === 'string') return NONE
  if (Array.isArray(body)) return body
  const beside = own(own(value, type), 'parts') ?? own(body, 'value')
  return Array.isArray(beside) ? beside : NONE
}

function isText(block: unknown): boolean {
  if (!isObject(block)) return true
  return typeof block['text'] === 'string' || block['json'] !== undefined
}

/** By its media type, else by its native type, else by its key. */
function kindOf(value: unknown): MediumKind | undefined {
  if (!isObject(value)) return undefined
  const source = own(value, 'inlineData') ?? own(value, 'inline_data') ?? own(value, 'fileData') ?? own(value, 'source')
  const names = [
    own(source, 'mimeType'),
    own(source, 'mime_type'),
    own(source, 'media_type'),
    own(value, 'mediaType'),
    own(value, 'type'),
    ...Object.keys(value),
  ]
  for (const word of names) {
    const found = typeof word === 'string' ? /image|audio|video|pdf|document|file/.exec(word)?.[0] : undefined
    if (found !== undefined) return found === 'image' || found === 'audio' || found === 'video' ? found : 'document'
  }
  return undefined
}

/** Keys that lead to the data, the data itself first. */
const HOLDERS = [
  ...['data', 'bytes', 'url', 'image_url', 'image', 'file_data'],
  ...['source', 'inlineData', 'inline_data', 'file', 'document'],
]

/** The base64 text in a block and where it begins; a link or a list of bytes has none. */
function base64In(value: unknown): { text: string; from: number } | undefined {
  let holder = value
  for (let depth = 0; depth < 4 && isObject(holder); depth++) {
    let inner: unknown
    for (const key of HOLDERS) {
      inner = own(holder, key)
      if (inner !== undefined && inner !== null) break
    }
    const type = own(holder, 'type')
    // A source with another type than base64 has no data.
    if (holder === own(value, 'source') && own(holder, 'data') !== undefined && type !== 'base64') return undefined
    if (typeof inner === 'string') return start(inner)
    holder = inner
  }
  return undefined
}

function start(text: string): { text: string; from: number } | undefined {
  if (!text.startsWith('data:')) return /^[a-z]+:\/\//i.test(text.slice(0, 12)) ? undefined : { text, from: 0 }
  const comma = text.indexOf(',')
  return comma < 0 || comma > 200 ? undefined : { text, from: comma + 1 }
}

const TYPE_KEYS = ['media_type', 'mediaType', 'mimeType', 'mime_type']
const LINK_KEYS = ['url', 'image_url', 'image', 'data']
const INNER_KEYS = ['source', 'inlineData', 'inline_data', 'image_url', 'image']

type Declared = NonNullable<ReturnType<NativeMedia['declaredType']>>

/** From a key for the media type, a data URL, or the format of an image. */
function declaredType(value: unknown, depth = 0): Declared | undefined {
  if (!isObject(value) || depth > 2) return undefined
  const named = TYPE_KEYS.find((key) => typeof value[key] === 'string')
  if (named) return { type: wordOf(value[named]), replaced: (type) => withKey(value, named, type) }
  for (const key of LINK_KEYS) {
    const link = value[key]
    const [, type] = (typeof link === 'string' && /^data:([^;,]{1,100})[;,]/.exec(link.slice(0, 120))) || []
    if (type !== undefined)
      return { type, replaced: (now) => withKey(value, key, `data:${now}${wordOf(link).slice(5 + type.length)}`) }
  }
  const format = value['format']
  if (typeof format === 'string' && isObject(value['source']))
    return { type: `image/${format}`, replaced: (type) => withKey(value, 'format', type.replace('image/', '')) }
  for (const key of INNER_KEYS) {
    const inner = declaredType(value[key], depth + 1)
    if (inner) return { type: inner.type, replaced: (type) => withKey(value, key, inner.replaced(type)) }
  }
  return undefined
}

export const nativeMedia: NativeMedia = { kindOf, base64In, declaredType, blocksIn, isText }
