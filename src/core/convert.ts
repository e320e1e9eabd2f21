/**
 * Rewrites messages of one dialect as messages of another: texts, calls, results and media are carried, in order.
 * What cannot be carried is named, so that a finding can say it.
 */
import type { Dialect } from './dialect.ts'
import { hash } from './hash.ts'
import { isObject } from './json.ts'
import { asArguments } from './loose-arguments.ts'
import { isMark, looseText, textIn, wordsIn } from './loose-text.ts'
import type { Piece, ResultPiece } from './neutral.ts'
import type { Part, Role } from './part.ts'
import { Transcript } from './transcript.ts'

/** Messages `from` up to `to` of the history become these. */
export interface Converted {
  readonly from: number
  readonly to: number
  readonly messages: readonly unknown[]
  /** Native types of what could not be carried. */
  readonly lost: readonly string[]
}

interface Draft {
  readonly from: number
  to: number
  readonly role: Role
  pieces: Piece[]
  readonly lost: Set<string>
}

/** Tool names by call id, for results that do not say theirs. */
export type Names = ReadonlyMap<string, string>

/** Consecutive messages that are all in the source's dialect. `offset` is the index of the first one. */
export function convertMessages(
  messages: readonly unknown[],
  offset: number,
  source: Dialect,
  target: Dialect,
  names: Names,
): readonly Converted[] {
  const read = new Transcript(messages, source, { inProgress: true })
  const reader = new Reader(read, offset, target, names)
  const drafts: Draft[] = []
  for (let i = 0; i < messages.length; i++) {
    const draft = reader.draft(i)
    const last = drafts.at(-1)
    const isInPlace = target.answerInPlace && last?.role === 'assistant' && draft.role !== 'assistant'
    if (isInPlace && takeResults(last, draft)) continue
    if (!last || !join(last, draft, source)) drafts.push(draft)
  }
  return drafts.map(({ from, to, role, pieces, lost }) => ({
    from,
    to,
    messages: sections(role, pieces, target).flatMap((one) => target.neutral!.compose(one.role, one.pieces)),
    lost: [...lost],
  }))
}

/** Where a call holds its result, results go back to the answer that called; true if nothing else was said. */
function takeResults(answer: Draft, next: Draft): boolean {
  answer.pieces = [...answer.pieces, ...next.pieces.filter(isResult)]
  next.pieces = next.pieces.filter((piece) => !isResult(piece))
  if (next.pieces.length > 0) return false
  answer.to = next.to
  for (const type of next.lost) answer.lost.add(type)
  return true
}

/** An answer that holds the results of its calls, as messages of a dialect in which results come after it. */
function sections(role: Role, pieces: readonly Piece[], target: Dialect): readonly { role: Role; pieces: Piece[] }[] {
  const found: { role: Role; pieces: Piece[] }[] = []
  let [others, results]: [Piece[], Piece[]] = [[], []]
  const flush = (): void => {
    if (others.length > 0) found.push({ role, pieces: others })
    if (results.length > 0) found.push({ role: 'tool', pieces: results })
    others = []
    results = []
  }
  const isSplit = role === 'assistant' && !target.answerInPlace
  for (const piece of pieces) {
    if (isSplit && results.length > 0 && !isResult(piece) && !isCall(piece)) flush()
    if (isSplit && isResult(piece)) results.push(piece)
    else others.push(piece)
  }
  flush()
  return found
}

/** Results of one round go together; so do the items of one answer, words before calls. */
function join(first: Draft, second: Draft, source: Dialect): boolean {
  const areResults = [first, second].every(({ pieces }) => pieces.length > 0 && pieces.every(isResult))
  const isOpen = first.role === 'assistant' && !first.pieces.some(isResult)
  const isAnswer = source.items === true && isOpen && second.role === 'assistant'
  if (!areResults && !isAnswer) return false
  first.to = second.to
  const all = [...first.pieces, ...second.pieces]
  first.pieces = isAnswer ? [...all.filter((piece) => !isCall(piece)), ...all.filter(isCall)] : all
  for (const type of second.lost) first.lost.add(type)
  return true
}

function isResult({ kind }: Piece): boolean {
  return kind === 'result'
}

function isCall({ kind }: Piece): boolean {
  return kind === 'call'
}

/** A native message whose foreign parts are rewritten in place. */
export function convertParts(
  t: Transcript,
  message: number,
  parts: ReadonlyMap<Part, Dialect>,
  names: Names,
): Converted {
  const lost = new Set<string>()
  const known = new Set(t.partsOf(message).flatMap(({ kind, id }) => (kind === 'call' && id !== undefined ? [id] : [])))
  const role = t.role(message)
  const pieces = t.partsOf(message).flatMap((part): readonly Piece[] => {
    const source = parts.get(part)
    if (!source) return [{ kind: 'native', part }]
    const read = readPart(part.value, source, role)
    const reader = new Reader(read, message, t.dialect, names)
    // A call that is there twice, in its own list and as a block of another dialect, is one call.
    return reader.pieces(read.parts, role, lost).filter((piece) => piece.kind !== 'call' || !known.has(piece.id ?? ''))
  })
  const base = t.history[message] as { readonly [key: string]: unknown }
  const messages = pieces.length > 0 ? t.dialect.neutral!.compose(role, pieces, base) : []
  return { from: message, to: message + 1, messages, lost: [...lost] }
}

/** One part, read as its own dialect reads it in a message or as an item. */
function readPart(value: unknown, source: Dialect, role: Role): Transcript {
  const message = source.isRoleless?.(value)
    ? value
    : source.textMessage(role === 'assistant' ? role : 'user', '', [value])
  return new Transcript([message], source, { inProgress: true })
}

class Reader {
  private readonly read: Transcript
  private readonly offset: number
  private readonly target: Dialect
  private readonly names: Names
  private readonly calls = new Map<Part, Part>()

  constructor(read: Transcript, offset: number, target: Dialect, names: Names) {
    this.read = read
    this.offset = offset
    this.target = target
    this.names = names
    read.pairs.results.forEach((result, i) => {
      if (result) this.calls.set(result, read.calls[i]!)
    })
  }

  draft(i: number): Draft {
    const lost = new Set<string>()
    const read = this.read.role(i)
    const pieces = [...this.pieces(this.read.partsOf(i), read, lost)]
    const role = read === 'unknown' && pieces.some(isCall) ? 'assistant' : read
    const { dialect, history } = this.read
    const message = history[i]
    const beside = isObject(message) ? dialect.neutral?.beside?.(message) : undefined
    for (const key of beside?.lost ?? []) lost.add(key)
    if (beside && beside.text !== '') pieces.push({ kind: 'text', text: beside.text })
    const other = pieces.length > 0 ? undefined : (dialect.foreignText ?? this.target.foreignText)?.(message)
    if (other) pieces.push({ kind: 'text', text: other.text })
    return { from: this.offset + i, to: this.offset + i + 1, role, pieces, lost }
  }

  pieces(parts: readonly Part[], role: Role, lost: Set<string>): readonly Piece[] {
    return parts.flatMap((part) => this.pieceOf(part, role, lost))
  }

  private pieceOf(part: Part, role: Role, lost: Set<string>): readonly Piece[] {
    if (part.signature !== undefined && part.signature !== null)
      lost.add(part.kind === 'call' ? 'signature' : part.type)
    if (part.kind === 'text') {
      const text = looseText(part.body ?? part.value)
      return text === '' ? [] : [{ kind: 'text', text }]
    }
    if (part.kind === 'media') return this.media(part.value, role, lost)
    if (part.kind === 'call' && !part.server) {
      const { name = 'unknown_tool', body } = part
      return [{ kind: 'call', id: this.idOf(part), name, arguments: asArguments(body) }]
    }
    // A result in the answer itself, as for a tool that the provider ran, of a call that the client makes.
    const isClients = !part.server || this.read.calls.some(({ id }) => id !== undefined && id === part.id)
    if (part.kind === 'result' && isClients) return [this.result(part, lost)]
    if (part.kind === 'opaque') return this.opaque(part, role, lost)
    lost.add(part.type)
    return []
  }

  /** What the user gave is kept in words; what only the other provider can read is not. */
  private opaque({ value, type }: Part, role: Role, lost: Set<string>): readonly Piece[] {
    const { neutral } = this.read.dialect
    const words = isObject(value) ? neutral?.wordsOf?.(value) : undefined
    const text = words ?? (isMark(value) ? '' : textIn(value, role === 'assistant'))
    if (text !== undefined) return text === '' ? [] : [{ kind: 'text', text }]
    if (isObject(value) && neutral?.mediaOf(value)) return this.media(value, role, lost)
    lost.add(type)
    return []
  }

  private result(part: Part, lost: Set<string>): ResultPiece {
    const call = this.calls.get(part)
    const { text, media } = this.read.dialect.content(part)
    const id = call ? this.idOf(call) : part.id
    const name = part.name ?? call?.name ?? this.names.get(id ?? '')
    const pieces = media.flatMap((value) => this.media(value, 'user', lost))
    const texts = [text, ...pieces.map((piece) => (piece.kind === 'text' ? piece.text : ''))]
    return {
      kind: 'result',
      id,
      name,
      text: texts.filter((one) => one !== '').join('\n'),
      media: pieces.filter((piece) => piece.kind === 'media'),
      failed: part.failed,
    }
  }

  /** Media, or words that say what was left out. */
  private media(value: unknown, role: Role, lost: Set<string>): readonly Piece[] {
    const piece = isObject(value) ? this.read.dialect.neutral?.mediaOf(value) : undefined
    if (piece?.kind === 'text') return [piece]
    const words = piece ? '' : wordsIn(value, this.read.dialect.nativeMedia)
    if (words !== '') return [{ kind: 'text', text: words }]
    // Only a link that others can follow is of use to them.
    const isOpen = piece?.url === undefined || (!piece.isPrivate && /^https?:/i.test(piece.url))
    if (piece && isOpen && this.target.neutral!.takesMedia(piece, role)) return [piece]
    const type = piece?.mediaType ?? 'media'
    lost.add(type)
    // A link stays readable; data would not be.
    const link = piece?.url === undefined ? '' : ` at ${piece.url}`
    return [{ kind: 'text', text: `[${type}${link} left out: it cannot be carried over]` }]
  }

  /** A call without an id gets one from its place: the same in every pass, and after an append. */
  private idOf({ id, message, order }: Part): string {
    return id ?? hash(`call ${this.offset + message} ${order}`)
  }
}
