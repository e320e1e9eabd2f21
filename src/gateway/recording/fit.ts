/**
 * How well a history that a client sends fits a line: which of its messages are in the line, in the same order, and what
 * it has of earlier versions.
 */
import { align } from '../../core/index.ts'
import { isReply, type KnownMessage, type Line, type ReadMessage } from './line.ts'

export interface Fit {
  readonly line: Line
  /** For each message of the history its index in the line; -1: the line does not have it, or elsewhere. */
  readonly pairs: readonly number[]
  /** For each message that the line has elsewhere: that one. */
  readonly moved: ReadonlyMap<number, KnownMessage>
  /** The index of the last message of the history that is a reply of the line; -1: there is none. */
  readonly anchor: number
  /** Number of replies of the line after that one: the history goes on without them. */
  readonly dropped: number
  /** Number of messages with content that both have, without system prompts. */
  readonly shared: number
  /** The last reply in the history, after the anchor, that left the line. */
  readonly returning?: { readonly index: number; readonly first: number }
}

export function fitOf(line: Line, sent: readonly ReadMessage[]): Fit {
  const { messages } = line
  const elements = new Elements()
  const [before, after] = [elements.of(messages), elements.of(sent)]
  const found = align(before, after, { keyOf: ({ key }) => key })
  const pairs = found.map(({ from, moved }) => (moved ? -1 : from))
  const moved = new Map<number, KnownMessage>()
  for (const [i, one] of found.entries()) if (one.moved) moved.set(i, messages[one.from]!)
  const counts = (i: number) => pairs[i]! >= 0 && sent[i]!.kind !== 'system' && sent[i]!.content !== ''
  const anchor = pairs.findLastIndex((at) => at >= 0 && isReply(messages[at]!))
  const dropped = messages.slice(anchor < 0 ? 0 : pairs[anchor]! + 1).filter(isReply).length
  const shared = pairs.filter((_, i) => counts(i)).length
  const returning = returningTo(line, sent, pairs, anchor)
  return { line, pairs, moved, anchor, dropped, shared, ...(returning ? { returning } : {}) }
}

/** A message together with the one before it: texts such as "Go on." are often repeated. */
interface Element {
  readonly key: number
}

class Elements {
  private readonly keys = new Map<string, number>()
  private readonly known = new Map<number, Element>()

  of(messages: readonly ReadMessage[]): readonly Element[] {
    let before = 0
    return messages.map(({ content, kind, message }) => {
      const key = this.keyOf(content === '' ? `${kind} ${JSON.stringify(message)}` : content)
      const both = before * MOST + key
      if (kind !== 'system' && content !== '') before = key
      const element = this.known.get(both) ?? { key }
      this.known.set(both, element)
      return element
    })
  }

  private keyOf(content: string): number {
    const known = this.keys.get(content) ?? this.keys.size + 1
    this.keys.set(content, known)
    return known
  }
}

/** More than the messages of a history and a line. */
const MOST = 2 ** 26

/** `first`: the position of the first message that comes back. */
function returningTo(
  line: Line,
  sent: readonly ReadMessage[],
  pairs: readonly number[],
  anchor: number,
): Fit['returning'] {
  const left = (i: number) => (pairs[i]! < 0 && sent[i]!.kind !== 'system' ? line.left(sent[i]!.content) : [])
  const index = sent.findLastIndex((_, i) => i > anchor && left(i).some(isReply))
  if (index < 0) return undefined
  let first = Number.POSITIVE_INFINITY
  for (let i = anchor + 1; i <= index; i++) for (const { seq } of left(i).slice(-1)) first = Math.min(first, seq)
  return { index, first }
}
