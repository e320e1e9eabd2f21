/**
 * Images and documents: as parts of a message, or as blocks inside a result.
 * What is a medium, and where its data begins, the dialect knows.
 */
import { isObject, own, type Part, type Step, type Transcript, withKey } from '../../core/index.ts'
import { textBlock } from './text-block.ts'

export interface Medium {
  readonly part: Part
  /** The block inside a result; undefined: the part itself. */
  readonly block: unknown
  /** Its native value. */
  readonly value: unknown
}

/** What is no text: the part itself, or the blocks of a result. */
export function mediaIn(t: Transcript, part: Part): readonly Medium[] {
  if (part.kind === 'media') return [{ part, block: undefined, value: part.value }]
  const { nativeMedia } = t.dialect
  const blocks = nativeMedia?.blocksIn(part).filter((block) => !nativeMedia.isText(block)) ?? []
  return blocks.map((block) => ({ part, block, value: block }))
}

/** All media of a history, in order. */
export function mediaOf(t: Transcript): readonly Medium[] {
  return t.derive(mediaOf, () => findMedia(t))
}

function findMedia(t: Transcript): readonly Medium[] {
  const found: Medium[] = []
  for (const part of t.results)
    if (typeof part.body !== 'string') for (const medium of mediaIn(t, part)) found.push(medium)
  for (const part of t.serverParts)
    if (part.kind === 'result' && typeof part.body !== 'string')
      for (const medium of mediaIn(t, part)) found.push(medium)
  for (const part of t.media) for (const medium of mediaIn(t, part)) found.push(medium)
  return found.length > 1 ? found.sort((a, b) => a.part.message - b.part.message || a.part.index - b.part.index) : found
}

export function imagesOf(t: Transcript): readonly Medium[] {
  return t.derive(imagesOf, () => mediaOf(t).filter(({ value }) => t.dialect.nativeMedia?.kindOf(value) === 'image'))
}

export function documentsOf(t: Transcript): readonly Medium[] {
  return mediaOf(t).filter(({ value }) => t.dialect.nativeMedia?.kindOf(value) === 'document')
}

/** A text in the place of a medium that cannot be sent. */
export function leftOut(t: Transcript, medium: Medium, text: string): readonly Step[] {
  return swapped(medium, textBlock(t, text))
}

/** Another native value in the place of a medium. */
export function swapped({ part, block }: Medium, instead: unknown): readonly Step[] {
  if (block === undefined) return [{ do: 'replace', part, value: instead }]
  return [{ do: 'replace', part, value: swapIn(part.value, block, instead) }]
}

/** Whether this text, or a block of this result, is the note that replaced a medium. */
export function saysText(t: Transcript, part: Part, text: string): boolean {
  if (part.kind === 'text') return part.body === text
  return t.dialect.nativeMedia?.blocksIn(part).some((block) => own(block, 'text') === text) ?? false
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
