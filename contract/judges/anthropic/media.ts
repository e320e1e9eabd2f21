/**
 * Anthropic, images in base64: the size of the text, and width and height if the first bytes contain them.
 */

import { field, listAt, textAt } from '../json.ts'
import type { JudgedRequest, Rejection } from '../rejection.ts'
import { blocksOf, reject } from './blocks.ts'

const MOST_BYTES = 5_242_880
const MOST_PIXELS = 8000
/** With more than 20 images in the request the limit is lower (doc: vision). */
const MANY = 20
const MOST_PIXELS_OF_MANY = 2000

export function imageLimits({ body }: JudgedRequest): Rejection | undefined {
  const images = [...imagesOf(body)]
  for (const { block, at } of images) {
    const rejection = imageLimit(block, at, images.length > MANY)
    if (rejection) return rejection
  }
  return undefined
}

function* imagesOf(body: unknown): Generator<{ readonly block: unknown; readonly at: string }> {
  for (const { type, block, at } of blocksOf(body)) {
    if (type === 'image') yield { block, at }
    for (const [k, inner] of listAt(block, 'content').entries()) {
      if (textAt(inner, 'type') === 'image') yield { block: inner, at: `${at}.${type}.content.${k}` }
    }
  }
}

/**
 * image-too-large-bytes: the limit is on the base64 text. image-too-large-dimension: 8000 pixels, 2000 in a request
 * with many images.
 */
function imageLimit(block: unknown, at: string, many: boolean): Rejection | undefined {
  const source = field(block, 'source')
  const data = textAt(source, 'data')
  if (textAt(source, 'type') !== 'base64') return undefined
  if (data.length > MOST_BYTES)
    return reject(
      'image-too-large-bytes',
      `${at}.image.source.base64: image exceeds 5 MB maximum: ${data.length} bytes > ${MOST_BYTES} bytes`,
    )
  const unreadable = imageUnreadable(data, textAt(source, 'media_type'), at)
  if (unreadable) return unreadable
  const most = many ? MOST_PIXELS_OF_MANY : MOST_PIXELS
  if (Math.max(...dimensions(data)) > most)
    return reject(
      'image-too-large-dimension',
      `${at}.image.source.base64.data: At least one of the image dimensions exceed max allowed size${many ? ' for many-image requests' : ''}: ${most} pixels`,
    )
  return undefined
}

/** image-unreadable: no data, a page or JSON in the place of an image, or another format than the one that is named. */
function imageUnreadable(data: string, named: string, at: string): Rejection | undefined {
  if (data === '') return reject('image-unreadable', `${at}.image.source.base64: image cannot be empty`)
  const head = Buffer.from(data.slice(0, 16), 'base64').toString('latin1')
  if (/^(?:<[!?]|<[a-z]{3}|\{\s{0,3}")/i.test(head)) return reject('image-unreadable', 'Could not process image')
  const type = head.startsWith('\x89PNG')
    ? 'image/png'
    : head.startsWith('\xff\xd8\xff')
      ? 'image/jpeg'
      : head.startsWith('GIF8')
        ? 'image/gif'
        : undefined
  if (type === undefined || type === named || !/^image\/(?:png|jpeg|gif|webp)$/.test(named)) return undefined
  return reject(
    'image-unreadable',
    `${at}.image.source.base64: The image was specified using the ${named} media type, but the image appears to be a ${type} image`,
  )
}

/**
 * Width and height of a PNG or a GIF, which are at fixed offsets; other formats would need a parser and count as small.
 */
function dimensions(base64: string): readonly number[] {
  const head = Buffer.from(base64.slice(0, 32), 'base64')
  if (head.length < 24) return [0]
  if (head.toString('latin1', 1, 4) === 'PNG') return [head.readUInt32BE(16), head.readUInt32BE(20)]
  if (head.toString('latin1', 0, 3) === 'GIF') return [head.readUInt16LE(6), head.readUInt16LE(8)]
  return [0]
}
