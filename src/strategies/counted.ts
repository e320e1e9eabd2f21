/**
 * The tokens of a whole list of messages, side by side in arrays and remembered: for a longer list only what is new is read.
 * Held by the last message of the list, so that it is forgotten with the conversation.
 */
import type { Dialect } from '../core/index.ts'
import type { Estimate } from './estimate.ts'
import type { Line } from './ledger.ts'
import { type Cost, meter } from './tokens.ts'

/** One number for each message. */
export interface Counted {
  readonly list: readonly unknown[]
  readonly tokens: Float64Array
  readonly results: Float64Array
  readonly reasoning: Float64Array
  readonly flags: Uint16Array
  /** Its lines of the ledger, once they were asked for. */
  readonly lines: (readonly Line[] | undefined)[]
  /** The messages by which it is found again. */
  readonly keys: object[]
}

type Memo = WeakMap<object, Counted>
const memos = new WeakMap<Dialect, WeakMap<Estimate, Memo>>()
/** So many messages may have come since a list was counted last. */
const FAR = 4096
const NONE: Counted = countedOf([])

export function count(list: readonly unknown[], dialect: Dialect, estimate: Estimate): Counted {
  const memo = memoOf(dialect, estimate)
  const key = lastKnown(list, memo)
  const known = key === undefined ? NONE : memo.get(key)!
  if (isSame(known.list, list)) return known
  const counted = countedOf(list.slice())
  const read = meter(dialect, estimate)
  const places = new Places(known.list, list)
  for (let i = 0; i < list.length; i++) {
    const at = places.find(i)
    if (at < 0) enter(counted, i, read(list[i]))
    else copy(counted, i, known, at)
  }
  remember(memo, counted, known, key)
  return counted
}

function enter({ tokens, results, reasoning, flags, lines }: Counted, i: number, cost: Readonly<Cost>): void {
  tokens[i] = cost.tokens
  results[i] = cost.results
  reasoning[i] = cost.reasoning
  flags[i] = cost.flags
  lines.push(undefined)
}

function copy({ tokens, results, reasoning, flags, lines }: Counted, i: number, from: Counted, at: number): void {
  tokens[i] = from.tokens[at]!
  results[i] = from.results[at]!
  reasoning[i] = from.reasoning[at]!
  flags[i] = from.flags[at]!
  lines.push(from.lines[at])
}

/**
 * Under its last two messages, and under the one by which the list before it was found: another try from there finds it too.
 * What else led to the list before is let go, so that a conversation is held once.
 */
function remember(memo: Memo, counted: Counted, known: Counted, key: object | undefined): void {
  for (const old of known.keys) memo.delete(old)
  for (const one of [...counted.list.slice(-2), key]) if (isKey(one)) counted.keys.push(one)
  for (const one of counted.keys) memo.set(one, counted)
}

/** Tokens of a list that was made from a counted one. */
export function tokensIn(
  list: readonly unknown[],
  from: number,
  { list: was, tokens }: Counted,
  read: ReturnType<typeof meter>,
): number {
  const places = new Places(was, list, from)
  let sum = 0
  for (let i = from; i < list.length; i++) {
    const at = places.find(i)
    sum += at < 0 ? read(list[i]).tokens : tokens[at]!
  }
  return sum
}

/** How far behind the place where it would stand a message is looked for. */
const NEAR = 8

/** Where the messages of one list stood in another that it was made from: messages were added, changed in place, taken out, or the oldest are gone. */
class Places {
  private readonly was: readonly unknown[]
  private readonly now: readonly unknown[]
  private at: number

  constructor(was: readonly unknown[], now: readonly unknown[], from = 0) {
    this.was = was
    this.now = now
    this.at = Math.min(from, was.length)
  }

  /** -1: it is new. Asked for in order. */
  find(i: number): number {
    const { was, now, at } = this
    const message = now[i]
    if (was[at] === message && at < was.length) {
      this.at = at + 1
      return at
    }
    const end = Math.min(at + NEAR, was.length)
    for (let k = at + 1; k < end; k++) if (was[k] === message) return this.found(k)
    // Changed in place, however many in a row; or the oldest are gone.
    if (i > at && was[i] === message) return this.found(i)
    const back = was.length - now.length + i
    if (back > at && was[back] === message) return this.found(back)
    return -1
  }

  private found(place: number): number {
    this.at = place + 1
    return place
  }
}

function countedOf(list: readonly unknown[]): Counted {
  return {
    list,
    tokens: new Float64Array(list.length),
    results: new Float64Array(list.length),
    reasoning: new Float64Array(list.length),
    flags: new Uint16Array(list.length),
    lines: [],
    keys: [],
  }
}

function memoOf(dialect: Dialect, estimate: Estimate): Memo {
  const byEstimate = memos.get(dialect) ?? new WeakMap<Estimate, Memo>()
  memos.set(dialect, byEstimate)
  const memo: Memo = byEstimate.get(estimate) ?? new WeakMap()
  byEstimate.set(estimate, memo)
  return memo
}

function lastKnown(list: readonly unknown[], memo: Memo): object | undefined {
  for (let i = list.length - 1; i >= Math.max(0, list.length - FAR); i--) {
    const message = list[i]
    if (isKey(message) && memo.has(message)) return message
  }
  return undefined
}

function isKey(message: unknown): message is object {
  return typeof message === 'object' && message !== null
}

function isSame(was: readonly unknown[], now: readonly unknown[]): boolean {
  if (was.length !== now.length) return false
  for (let i = 0; i < now.length; i++) if (was[i] !== now[i]) return false
  return true
}
