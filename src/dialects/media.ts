/** Media as pieces: data URLs, links, and formats by their media type. */
import type { MediaPiece, TextPiece } from '../core/index.ts'
import { word } from './blocks.ts'

const DATA_URL = /^data:([^;,]*)(?:;[^,]*)?;base64,/

/** A data URL as its data, anything else as a link. */
export function fromUrl(url: unknown, mediaType?: unknown): MediaPiece | undefined {
  if (typeof url !== 'string' || url === '') return undefined
  const head = DATA_URL.exec(url.slice(0, 200))
  if (head) return { kind: 'media', mediaType: word(head[1]) ?? word(mediaType), data: url.slice(head[0].length) }
  return { kind: 'media', mediaType: word(mediaType), url }
}

export function fromData(data: unknown, mediaType: unknown): MediaPiece | undefined {
  return typeof data === 'string' && data !== '' ? { kind: 'media', mediaType: word(mediaType), data } : undefined
}

export function fromText(text: unknown): TextPiece | undefined {
  return typeof text === 'string' && text !== '' ? { kind: 'text', text } : undefined
}

const EXTENSION = /\.(pdf|png|jpe?g|gif|webp)$/i

/** The type of a linked file by the extension of its name; `file` without a known one. */
export function typeOfLink(url: unknown): string {
  const name = typeof url === 'string' ? url.slice(0, 4000).split(/[?#]/, 1)[0]! : ''
  const [, found] = EXTENSION.exec(name) ?? []
  if (found === undefined) return 'file'
  const end = found.toLowerCase()
  return end === 'pdf' ? 'application/pdf' : `image/${end === 'jpg' ? 'jpeg' : end}`
}

/** The link, or a data URL. */
export function toUrl({ url, data, mediaType = 'image/png' }: MediaPiece): string {
  return url ?? `data:${mediaType};base64,${data}`
}

/** A link without a type counts as an image. */
export function isImage({ mediaType }: MediaPiece): boolean {
  return mediaType === undefined || mediaType.startsWith('image/')
}

export function isPdf({ mediaType }: MediaPiece): boolean {
  return mediaType === 'application/pdf'
}
