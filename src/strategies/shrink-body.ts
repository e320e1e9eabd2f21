/**
 * Cuts the content of one result to a size, in any shape of its dialect: a text, JSON in a text, blocks, an object.
 * Other content stays; media is removed only on request.
 */
import {
  type Dialect,
  isObject,
  own,
  type Part,
  type Path,
  tryJsonText,
  valueAt,
  withValueAt,
  wordOf,
} from '../core/index.ts'
import type { Estimate } from './estimate.ts'
import { isJson, jsonCutter, levelOf } from './shrink-json.ts'
import { cutText, fit } from './shrink-text.ts'

export interface BodyOptions {
  readonly dialect: Dialect
  readonly estimate: Estimate
  /** A sentence that tells how to get what was left out. */
  readonly hint: string
  /** Media in the result may be replaced by a note. */
  readonly media: boolean
}

/** A place in the body that holds text or JSON. */
interface Slot {
  readonly path: Path
  readonly text: string
  /** It is a value, not a text: it is parsed again. */
  readonly data: boolean
}

/** Tokens of the text of a result; including its media if they may be removed. */
export function sizeOf(part: Part, body: unknown, { dialect, estimate, media }: BodyOptions): number {
  const content = dialect.content({ ...part, body })
  return estimate(content.text) + (media ? content.media.reduce((total: number, one) => total + weight(one), 0) : 0)
}

/** The body within the limit; the same reference if it fits already, or if nothing in it can be cut. */
export function shrinkBody(part: Part, body: unknown, limit: number, options: BodyOptions): unknown {
  let cut = body
  if (options.media) cut = withoutMedia(part, cut, limit, options)
  // Parts are joined and escaped when they are sent, so the sum of their sizes may be less than the whole.
  for (let tries = 0, room = limit; tries < 8; tries++) {
    const size = sizeOf(part, cut, options)
    if (size <= limit) return cut
    const next = cutSlots(cut, room, options)
    if (next === cut) return cut
    room -= Math.max(sizeOf(part, next, options) - limit, 0) + 1
    if (sizeOf(part, next, options) <= limit || tries === 7) return next
  }
  return cut
}

function cutSlots(body: unknown, limit: number, options: BodyOptions): unknown {
  const { estimate, hint } = options
  const slots = slotsOf(body, [])
  const level = levelOf(
    slots.map(({ text }) => estimate(text)),
    Math.max(limit, 0),
  )
  let cut = body
  for (const { path, text, data } of slots) {
    if (estimate(text) <= level) continue
    const cutter = data || isJson(text) ? jsonCutter(text, hint) : (room: number) => cutText(text, room, hint)
    const now = fit(text, level, estimate, cutter)
    if (now === text) continue
    cut = withValueAt(cut, path, data ? parsed(now, text) : now)
  }
  return cut
}

/** A value keeps its type even if nothing fits: some dialects require an object. */
function parsed(now: string, was: string): unknown {
  return JSON.parse(now === '' ? (was.startsWith('{') ? '{}' : was.startsWith('[') ? '[]' : '""') : now)
}

function slotsOf(body: unknown, path: Path): readonly Slot[] {
  if (typeof body === 'string') return [{ path, text: body, data: false }]
  if (Array.isArray(body)) {
    return body.some(isBlock) ? body.flatMap((block, i) => slotsOfBlock(block, [...path, i])) : dataSlot(body, path)
  }
  if (!isObject(body) || body['type'] === 'computer_screenshot') return []
  if (!isWrapped(body)) return dataSlot(body, path)
  const isData = body['type'] === 'json' || body['type'] === 'error-json'
  return isData ? dataSlot(body['value'], [...path, 'value']) : slotsOf(body['value'], [...path, 'value'])
}

/** An output of the AI SDK: a type and a value. */
function isWrapped(body: object): boolean {
  return (
    typeof own(body, 'type') === 'string' &&
    Object.hasOwn(body, 'value') &&
    Object.keys(body).every((key) => key === 'type' || key === 'value' || key === 'providerOptions')
  )
}

const TEXTS = ['text', 'stdout', 'stderr', 'refusal'] as const
const MEMBERS = ['json', 'image', 'document', 'video', 'audio', 'searchResult'] as const

function isBlock(value: unknown): boolean {
  if (!isObject(value)) return false
  if (typeof value['type'] === 'string' || TEXTS.some((key) => typeof value[key] === 'string')) return true
  return MEMBERS.some((key) => value[key] !== undefined)
}

function slotsOfBlock(block: unknown, path: Path): readonly Slot[] {
  if (typeof block === 'string') return [{ path, text: block, data: false }]
  const texts = TEXTS.filter((key) => typeof own(block, key) === 'string')
  const slots = texts.map((key) => ({ path: [...path, key], text: own(block, key) as string, data: false }))
  const json = own(block, 'json')
  return json === undefined || json === null ? slots : [...slots, ...dataSlot(json, [...path, 'json'])]
}

function dataSlot(value: unknown, path: Path): readonly Slot[] {
  // Nested too deep to be serialized, or circular: it could not be sent either.
  const text = tryJsonText(value)
  return text === undefined ? [] : [{ path, text, data: true }]
}

/** The largest media first, until the rest is within the limit. */
function withoutMedia(part: Part, body: unknown, limit: number, options: BodyOptions): unknown {
  const { dialect, hint } = options
  const at: Path = isObject(body) ? ['value'] : []
  const blocks = valueAt(body, at)
  if (!Array.isArray(blocks)) return body
  const media = dialect.content({ ...part, body }).media.length
  const heavy = blocks.map((block, i) => ({ block, i })).filter(({ block }) => isObject(block) && !isText(block))
  if (media === 0 || heavy.length !== media) return body
  let cut = body
  for (const { block, i } of heavy.sort((a, b) => weight(b.block) - weight(a.block))) {
    if (sizeOf(part, cut, options) <= limit) break
    const note = `[… ${wordOf(own(block, 'type') ?? 'media')} of ${weight(block) * 4} bytes left out. ${hint} …]`
    cut = withValueAt(cut, [...at, i], textBlock(dialect, note))
  }
  return cut
}

function isText(block: unknown): boolean {
  return TEXTS.some((key) => typeof own(block, key) === 'string') || own(block, 'json') !== undefined
}

/** A text block, as a user message of this dialect has it next to media. */
function textBlock(dialect: Dialect, text: string): unknown {
  const message = dialect.textMessage('user', text, [null])
  const blocks = own(message, 'content') ?? own(message, 'parts')
  return Array.isArray(blocks) ? blocks[0] : { type: 'text', text }
}

/** Media counts by its bytes in the request; its tokens are known only to the provider. */
function weight(block: unknown): number {
  return Math.ceil((tryJsonText(block)?.length ?? 0) / 4)
}
