/** Blocks of other dialects inside a result: an image, a text or a file as another API or a tool server writes it. */
import {
  type Dialect,
  isObject,
  type JsonObject,
  type MediaPiece,
  own,
  type Transcript,
  tryJsonText,
  wordOf,
} from '../../core/index.ts'
import { textBlock } from './text-block.ts'

export interface BlockParams {
  readonly native?: readonly string[]
  readonly others?: readonly Dialect[]
  readonly typed?: boolean
}

/** Blocks of the Model Context Protocol, and of SDKs that wrap a value. Kept as JSON text unless they hold an image. */
const WRAPPERS = ['resource', 'resource_link', 'audio', 'json', 'content', 'error-text', 'error-json']

/** Whether another dialect is known to write this block. A type that no dialect knows may be newer than the list. */
export function isForeignBlock(block: unknown, params: BlockParams): boolean {
  if (!params.native || !isObject(block) || isNative(block, params.native, params.typed)) return false
  const { type } = block
  if (typeof block['text'] === 'string' || mediaIn(block, params.others)) return true
  if (params.typed && typeof type !== 'string') return false
  return !params.typed || WRAPPERS.includes(type as string) || owns(block, params.others)
}

function isNative(block: JsonObject, native: readonly string[], typed: boolean | undefined): boolean {
  if (!typed) return Object.keys(block).every((key) => native.includes(key))
  const type = wordOf(block['type'])
  // An image as a tool server writes it has the type of an image and no source.
  const isHollow = (type === 'image' || type === 'document') && !isObject(block['source'])
  return native.includes(type) && !isHollow
}

function owns(block: JsonObject, others: readonly Dialect[] = []): boolean {
  return others.some(({ neutral }) => neutral?.ownsPart(block))
}

export function nativeBlock(t: Transcript, block: unknown, { others }: BlockParams): unknown {
  const text = own(block, 'text')
  if (typeof text === 'string') return textBlock(t, text)
  const media = isObject(block) ? mediaIn(block, others) : undefined
  if (!media) return textBlock(t, tryJsonText(block) ?? '')
  const { neutral } = t.dialect
  const isOpen = media.url === undefined || /^https?:/i.test(media.url)
  if (!neutral || !isOpen || !neutral.takesMedia(media, 'user')) return textBlock(t, leftOut(media))
  const [message] = neutral.compose('user', [media])
  const content = own(message, t.contentKey)
  return Array.isArray(content) ? content[0] : textBlock(t, leftOut(media))
}

function leftOut({ mediaType = 'media', url }: MediaPiece): string {
  return `[${mediaType}${url === undefined ? '' : ` at ${url}`} left out: it cannot be carried over]`
}

function mediaIn(block: JsonObject, others: readonly Dialect[] = []): MediaPiece | undefined {
  if (isServerImage(block))
    return { kind: 'media', mediaType: block['mimeType'] as string, data: block['data'] as string }
  for (const { neutral } of others) {
    const piece = neutral?.ownsPart(block) || isMediaBlock(block) ? neutral?.mediaOf(block) : undefined
    if (piece?.kind === 'media') return piece
  }
  return undefined
}

function isServerImage(block: JsonObject): boolean {
  return typeof block['data'] === 'string' && typeof block['mimeType'] === 'string' && block['source'] === undefined
}

function isMediaBlock(block: JsonObject): boolean {
  return Object.keys(block).some((key) => /image|inline_?data|file|document|source/i.test(key))
}
