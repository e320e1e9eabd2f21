/**
 * Messages as cells: parts with previews, and whether each call has its result.
 */
import { type Dialect, isObject, isSynthetic, type Part, readMessage, Transcript } from '../../core/index.ts'
import { estimateTokens } from '../../strategies/estimate.ts'
import { partTokens } from '../../strategies/token-counts.ts'
import { preview, readable, readableArguments } from './preview.ts'
import type { Cell, PartView, RoleName } from './protocol.ts'

/** Tokens around the words of a message, as the strategies count them. */
export const MESSAGE_TOKENS = 4
const IMAGE = 200_000

/** One side of the comparison, read once. */
export class Side {
  readonly list: readonly unknown[]
  readonly transcript: Transcript
  private readonly calls = new Map<Part, number>()
  private readonly unmatched = new Map<Part, 'orphan' | 'duplicate'>()

  /** The last message that is not a result: its calls may still be answered. Infinity if they may not. */
  private readonly lastReply: number

  constructor(list: readonly unknown[], dialect: Dialect, inProgress = false) {
    this.list = list
    this.transcript = new Transcript(list, dialect)
    this.lastReply = inProgress ? list.findLastIndex((_, i) => this.shownRole(i) !== 'tool') : Number.POSITIVE_INFINITY
    const { pairs } = this.transcript
    for (let i = 0; i < pairs.results.length; i++) {
      const result = pairs.results[i]
      if (result) this.calls.set(result, i)
    }
    for (const { part, outcome } of pairs.unmatched) {
      if (this.calls.has(part)) continue
      this.unmatched.set(part, outcome === 'duplicate' ? 'duplicate' : 'orphan')
    }
  }

  role(index: number): RoleName {
    return this.transcript.role(index)
  }

  /** A user message that carries nothing but results is shown as what it is. */
  shownRole(index: number): RoleName {
    const role = this.role(index)
    const parts = this.transcript.partsOf(index)
    return role === 'user' && parts.length > 0 && parts.every(({ kind }) => kind === 'result') ? 'tool' : role
  }

  hasOpenCall(index: number): boolean {
    return this.transcript.partsOf(index).some((part) => this.pairOf(part) === 'open' || this.pairOf(part) === 'loose')
  }

  cell(index: number, rowOf: (message: number) => number): Cell {
    const parts = this.transcript.partsOf(index)
    const calls = parts.filter(({ kind, server }) => kind === 'call' && !server)
    const views = parts.map((part) => {
      const other = this.otherOf(part)
      const place = calls.indexOf(part)
      return {
        ...partView(part),
        ...defined('name', this.nameOf(part)),
        ...defined('pair', this.pairOf(part)),
        ...(other ? { other: rowOf(other.message) } : {}),
        ...(calls.length > 1 && place >= 0 ? { batch: [place + 1, calls.length] as const } : {}),
      }
    })
    const tokens = views.reduce((sum, view) => sum + view.tokens, MESSAGE_TOKENS)
    return { role: this.shownRole(index), index, parts: views, tokens }
  }

  /** A result is named after the tool whose call it answers. */
  nameOf(part: Part): string | undefined {
    if (part.name !== undefined || part.kind !== 'result') return part.name
    const call = this.calls.get(part)
    return call === undefined ? undefined : this.transcript.calls[call]!.name
  }

  tokensOf(index: number): number {
    return this.transcript.partsOf(index).reduce((sum, part) => sum + partTokens(part, estimateTokens), MESSAGE_TOKENS)
  }

  private pairOf(part: Part): PartView['pair'] {
    if (part.server) return undefined
    if (part.kind === 'call')
      return this.transcript.pairs.results[part.order] ? 'paired' : part.message === this.lastReply ? 'pending' : 'open'
    if (part.kind !== 'result') return undefined
    if (this.calls.has(part)) return 'paired'
    return this.unmatched.get(part) === 'duplicate' ? 'duplicate' : 'loose'
  }

  private otherOf(part: Part): Part | undefined {
    const { pairs, calls } = this.transcript
    if (part.kind === 'call' && !part.server) return pairs.results[part.order]
    const call = this.calls.get(part)
    return call === undefined ? undefined : calls[call]
  }
}

/** A record that no request contains: read alone, so pairs are not known. */
export function looseCell(message: unknown, dialect: Dialect): Cell {
  const { role, parts } = readMessage(message, dialect)
  const views = parts.map((part) => ({ ...partView(part), ...defined('name', part.name) }))
  if (views.length === 0) views.push({ kind: 'opaque', type: 'record', tokens: 0, ...preview(readable(message)) })
  return { role, index: -1, parts: views, tokens: views.reduce((sum, view) => sum + view.tokens, MESSAGE_TOKENS) }
}

export function textOf(part: Part): string {
  switch (part.kind) {
    case 'call':
      return readableArguments(part.body)
    case 'result':
    case 'text':
      return readable(part.body ?? part.value)
    case 'reasoning':
      return part.body === undefined ? '' : readable(part.body)
    case 'media':
      return mediaText(part)
    default:
      return readable(part.value)
  }
}

function partView(part: Part): PartView {
  const { kind, type, id, failed, server } = part
  const text = textOf(part)
  return {
    kind,
    type,
    ...preview(text),
    ...defined('id', id),
    ...(failed ? { failed } : {}),
    ...(server ? { server } : {}),
    ...(kind === 'result' && isSynthetic(text) ? { synthetic: true } : {}),
    tokens: partTokens(part, estimateTokens),
    ...(kind === 'media' ? defined('image', imageOf(part.value)) : {}),
  }
}

function mediaText({ type, value }: Part): string {
  const size = JSON.stringify(value)?.length ?? 0
  return `${type} (${Math.ceil(size / 1024)} kB)`
}

/** A picture that is in the message itself. Addresses are never loaded. */
function imageOf(value: unknown): string | undefined {
  const found = dataIn(value, 0)
  return found !== undefined &&
    found.length <= IMAGE &&
    /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(found)
    ? found
    : undefined
}

function dataIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.startsWith('data:image/') ? value : undefined
  if (!isObject(value) || depth > 4) return undefined
  const type = value['media_type'] ?? value['mimeType'] ?? value['mediaType']
  if (typeof type === 'string' && typeof value['data'] === 'string') return `data:${type};base64,${value['data']}`
  for (const inner of Object.values(value)) {
    const found = dataIn(inner, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

export function defined<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V }
}
