/** Messages as cells: parts with previews, and whether each call has its result. */
import { type Dialect, isObject, isSynthetic, type Part, readMessage, Transcript } from '../../core/index.ts'
import { estimateTokens } from '../../strategies/estimate.ts'
import { partTokens } from '../../strategies/token-counts.ts'
import { preview, readable, readableJson } from './preview.ts'
import type { Cell, PartView, RoleName } from './protocol.ts'

/** Tokens of a message besides its parts, as the strategies count them. */
export const MESSAGE_TOKENS = 4
/** Characters of the largest picture that is shown. */
const IMAGE = 200_000

/** One side of the comparison, read once. */
export class Side {
  readonly list: readonly unknown[]
  readonly transcript: Transcript
  /** Results of calls that already have a result. */
  private readonly duplicates: ReadonlySet<Part>
  /** In progress: the last message that is not a result. Its calls may still be answered. Else infinity. */
  private readonly lastReply: number

  constructor(list: readonly unknown[], dialect: Dialect, inProgress = false) {
    this.list = list
    this.transcript = new Transcript(list, dialect)
    this.lastReply = inProgress ? list.findLastIndex((_, i) => this.shownRole(i) !== 'tool') : Number.POSITIVE_INFINITY
    const { unmatched } = this.transcript.pairs
    this.duplicates = new Set(unmatched.flatMap(({ part, outcome }) => (outcome === 'duplicate' ? [part] : [])))
  }

  /** A user message that contains only results is shown as a tool message. */
  shownRole(index: number): RoleName {
    const role = this.transcript.role(index)
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
        name: this.nameOf(part),
        pair: this.pairOf(part),
        other: other && rowOf(other.message),
        batch: calls.length > 1 && place >= 0 ? ([place + 1, calls.length] as const) : undefined,
      }
    })
    const tokens = views.reduce((sum, view) => sum + view.tokens, MESSAGE_TOKENS)
    return { role: this.shownRole(index), index, parts: views, tokens }
  }

  /** A result is named after the tool whose call it answers. */
  nameOf(part: Part): string | undefined {
    return part.name ?? this.transcript.callOf(part)?.name
  }

  tokensOf(index: number): number {
    return this.transcript.partsOf(index).reduce((sum, part) => sum + partTokens(part, estimateTokens), MESSAGE_TOKENS)
  }

  private pairOf(part: Part): PartView['pair'] {
    if (part.server) return undefined
    if (part.kind === 'call')
      return this.transcript.pairs.results[part.order] ? 'paired' : part.message === this.lastReply ? 'pending' : 'open'
    if (part.kind !== 'result') return undefined
    if (this.transcript.callOf(part)) return 'paired'
    return this.duplicates.has(part) ? 'duplicate' : 'loose'
  }

  private otherOf(part: Part): Part | undefined {
    if (part.kind === 'call' && !part.server) return this.transcript.pairs.results[part.order]
    return this.transcript.callOf(part)
  }
}

/** A record that no request contains. It is read alone, so pairs are not known. */
export function looseCell(message: unknown, dialect: Dialect): Cell {
  const { role, parts } = readMessage(message, dialect)
  const views: PartView[] = parts.map((part) => ({ ...partView(part), name: part.name }))
  if (views.length === 0) views.push({ kind: 'opaque', type: 'record', tokens: 0, ...preview(readable(message)) })
  return { role, index: -1, parts: views, tokens: views.reduce((sum, view) => sum + view.tokens, MESSAGE_TOKENS) }
}

export function textOf(part: Part): string {
  switch (part.kind) {
    case 'call':
      return readableJson(part.body)
    case 'result':
    case 'text':
      return readable(part.body ?? part.value)
    case 'reasoning':
      return part.body === undefined ? '' : readable(part.body)
    case 'media':
      return `${part.type} (${Math.ceil((JSON.stringify(part.value)?.length ?? 0) / 1024)} kB)`
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
    id,
    failed,
    server,
    synthetic: kind === 'result' && isSynthetic(text),
    tokens: partTokens(part, estimateTokens),
    image: kind === 'media' ? imageOf(part.value) : undefined,
  }
}

/** A picture inside the message. Addresses are never loaded. */
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
