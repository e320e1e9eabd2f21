/**
 * Images and documents wherever they stand: as parts of a message, or as blocks inside a result.
 * Looks at the native value without knowing its dialect; a picture's size is read from its first bytes, never from the whole.
 */
import { isObject, own, type Part, type Step, type Transcript, withKey } from '../../core/index.ts'
import { textBlock } from './content.ts'

export interface Medium {
  readonly part: Part
  /** The block inside a result; undefined: the part itself. */
  readonly block: unknown
  /** Its native value. */
  readonly value: unknown
}

const NONE: readonly never[] = []

/** What is no text: the part itself, or the blocks of a result. */
export function mediaIn(part: Part): readonly Medium[] {
  if (part.kind === 'media') return [{ part, block: undefined, value: part.value }]
  const blocks = blocksIn(part)
  if (blocks.length === 0) return NONE
  return blocks.filter((block) => !isText(block)).map((block) => ({ part, block, value: block }))
}

/** All media of a history, in order. */
export function mediaOf(t: Transcript): readonly Medium[] {
  return t.derive(mediaOf, () => findMedia(t))
}

function findMedia(t: Transcript): readonly Medium[] {
  const found: Medium[] = []
  for (const part of t.results) if (typeof part.body !== 'string') found.push(...mediaIn(part))
  for (const part of t.serverParts)
    if (part.kind === 'result' && typeof part.body !== 'string') found.push(...mediaIn(part))
  for (const part of t.media) found.push(...mediaIn(part))
  return found.length > 1 ? found.sort((a, b) => a.part.message - b.part.message || a.part.index - b.part.index) : found
}

export function imagesOf(t: Transcript): readonly Medium[] {
  return t.derive(imagesOf, () => mediaOf(t).filter(({ value }) => kindOf(value) === 'image'))
}

/** The blocks of a result that may hold media: its content, or a list beside it. */
export function blocksIn({ body, value, type }: Part): readonly unknown[] {
  if (typeof body === 'string') return NONE
  if (Array.isArray(body)) return body
  const beside = own(own(value, type), 'parts') ?? own(body, 'value')
  return Array.isArray(beside) ? beside : NONE
}

export function isText(block: unknown): boolean {
  if (!isObject(block)) return true
  return typeof block['text'] === 'string' || block['json'] !== undefined
}

export type MediumKind = 'image' | 'audio' | 'video' | 'document'

/** By its media type where it says one, else by its native type, else by the key it stands under. */
export function kindOf(value: unknown): MediumKind | undefined {
  if (!isObject(value)) return undefined
  const source = own(value, 'inlineData') ?? own(value, 'inline_data') ?? own(value, 'fileData') ?? own(value, 'source')
  const said = [
    own(source, 'mimeType'),
    own(source, 'mime_type'),
    own(source, 'media_type'),
    own(value, 'mediaType'),
    own(value, 'type'),
    ...Object.keys(value),
  ]
  for (const word of said) {
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
export function base64In(value: unknown): { text: string; from: number } | undefined {
  let holder = value
  for (let depth = 0; depth < 4 && isObject(holder); depth++) {
    let inner: unknown
    for (const key of HOLDERS) {
      inner = own(holder, key)
      if (inner !== undefined && inner !== null) break
    }
    const type = own(holder, 'type')
    // A source says what it holds; anything but base64 is no data.
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

/** A text in the place of a medium that cannot be sent. */
export function leftOut(t: Transcript, { part, block }: Medium, text: string): readonly Step[] {
  const instead = textBlock(t, text)
  if (block === undefined) return [{ do: 'replace', part, value: instead }]
  return [{ do: 'replace', part, value: swapIn(part.value, block, instead) }]
}

/** Whether this text, or a block of this result, is the line that stands for a medium. */
export function saysText(part: Part, text: string): boolean {
  if (part.kind === 'text') return part.body === text
  return blocksIn(part).some((block) => own(block, 'text') === text)
}

/** A copy in which this block, known by its reference, is another; looks only where a result may keep its blocks. */
export function swapIn(value: unknown, block: unknown, instead: unknown, depth = 0): unknown {
  if (Array.isArray(value)) {
    const at = value.indexOf(block)
    if (at < 0) return value
    if (instead !== undefined) return value.with(at, instead)
    // A list that is left with nothing goes with its key.
    return value.length > 1 ? value.filter((_, i) => i !== at) : undefined
  }
  if (!isObject(value) || depth > 3) return value
  for (const key of Object.keys(value)) {
    const now = swapIn(value[key], block, instead, depth + 1)
    if (now !== value[key]) return withKey(value, key, now)
  }
  return value
}
