/**
 * Whether a fix relies on something that is not known: a version or a key of the request, a role, a part of an unknown
 * type, or an unknown key beside what it reads, answers, moves or removes. It does not decide what is valid. What is
 * known is the dialect's table. Only histories with findings are looked at.
 */
import type { Step } from './fix.ts'
import { isObject, type JsonObject, own, plainKey } from './json.ts'
import type { Part } from './part.ts'
import type { RawFinding } from './run-rules.ts'
import type { Transcript } from './transcript.ts'
import { wordOf } from './word.ts'

/** Words of a wire format, each as `plainKey` writes it. */
export interface Known {
  /** Keys of a request that do not say where the history is. */
  readonly request: ReadonlySet<string>
  /** Keys of messages and of their parts. */
  readonly keys: ReadonlySet<string>
  /** Types of parts and items. */
  readonly types: ReadonlySet<string>
  readonly roles: ReadonlySet<string>
}

export interface NotKnown {
  /** In words, for the message of the finding. */
  readonly what: string
  /** It may hold earlier messages, or be the other half of a pair. */
  readonly decides: boolean
}

/**
 * `versions`: versions and beta features of the request that are not known. Undefined: all that the fix relies on is
 * known.
 */
export function notKnownFor(
  found: RawFinding,
  t: Transcript,
  versions: (() => readonly string[]) | undefined,
): NotKnown | undefined {
  const { known } = t.dialect
  if (!known || found.rule.aboutText) return undefined
  const asked = versions ? t.derive(versions, versions) : []
  if (asked.length > 0) return { what: asked.join(', '), decides: true }
  return inRequest(found, t, known) ?? inHistory(found, t, known)
}

/** All findings of a round are about the same parts. */
function inHistory(found: RawFinding, t: Transcript, known: Known): NotKnown | undefined {
  const unknowns = t.derive(unknownsIn, () => unknownsIn(t, known))
  const [step, ...more] = found.fix
  if (step?.do !== 'complete-round' || more.length > 0) return new Reach(found, t).notKnown(unknowns, known)
  const rounds = t.derive(Reach, () => new Map<number, NotKnown | undefined>())
  const round = t.pairs.rounds[step.call]!
  if (!rounds.has(round)) rounds.set(round, new Reach(found, t).notKnown(unknowns, known))
  return rounds.get(round)
}

/** Keys that a request may name stored messages with. */
const STORED = /thread|previous|continu|resum|^state|state$|cached/i

/** What one message says alone does not depend on the request around it. */
function inRequest({ rule, fix }: RawFinding, t: Transcript, { request }: Known): NotKnown | undefined {
  if (rule.phase === 'shape' && !fix.some((step) => step.do === 'set-request')) return undefined
  const key = t.derive(inRequest, () => unknownKey(t.request ?? {}, request, t.dialect.key))
  return key === undefined ? undefined : { what: `the key \`${short(key)}\` of the request`, decides: STORED.test(key) }
}

/**
 * Unknown roles and types (`strange`), and messages with unknown keys, by message; and all ids that strange parts may
 * mean.
 */
interface Unknowns {
  readonly strange: Places
  readonly keys: Places
  readonly mentioned: ReadonlySet<unknown>
}

/** In ascending order. */
type Places = readonly (readonly [message: number, what: string])[]

function unknownsIn(t: Transcript, known: Known): Unknowns {
  const strange: [number, string][] = []
  const keys: [number, string][] = []
  const mentioned = new Set<unknown>()
  for (let i = 0; i < t.history.length; i++) {
    const message = t.history[i]
    if (!isObject(message)) continue
    const role = message['role']
    const part = t.partsOf(i).find((one) => !isKnownType(one, known))
    if (typeof role === 'string' && role !== '' && !has(known.roles, role))
      strange.push([i, `the role "${short(role)}" of message ${i}`])
    else if (part) strange.push([i, typeName(part)])
    if (strange.at(-1)?.[0] === i) collectStrings(message, mentioned)
    const key = unknownKey(message, known.keys)
    const halves = t.partsOf(i).filter(({ kind }) => kind === 'call' || kind === 'result')
    const inHalf = halves.map((half) => unknownIn(half, known)).find((one) => one !== undefined)
    if (key !== undefined) keys.push([i, `the key \`${short(key)}\` of message ${i}`])
    else if (inHalf !== undefined) keys.push([i, inHalf])
  }
  return { strange, keys, mentioned }
}

/** The messages and parts that a finding and its fix are about. */
class Reach {
  private readonly t: Transcript
  private readonly isStructure: boolean
  private readonly whole: number[] = []
  private readonly parts: Part[] = []
  /** It pairs calls and results. A later part may answer an open call; an earlier one may make the call of a result. */
  private readonly pairs: boolean
  /** About the whole history. Without a fix it is about the request. */
  private readonly isWhole: boolean
  private isOpen = false
  private isOrphan = false

  constructor({ rule, at, fix }: RawFinding, t: Transcript) {
    this.t = t
    this.isStructure = rule.phase === 'structure'
    for (const step of fix) this.add(step)
    this.isWhole = at.length === 0 && fix.length > 0
    this.pairs = this.isStructure && this.parts.some(({ kind }) => kind === 'call' || kind === 'result')
    if (typeof at[0] === 'number' && (this.isStructure || fix.length === 0) && !this.pairs) this.whole.push(at[0])
  }

  private add(step: Step): void {
    const { parts, whole } = this
    if (step.do === 'complete-round') this.addRound(this.t.pairs.rounds[step.call]!)
    else if (step.do === 'insert') whole.push(step.after, step.after + 1)
    else if (step.do === 'move') whole.push(step.message, step.after)
    else if ('part' in step) {
      const { part } = step
      const isGone = step.do === 'remove' || step.do === 'note' || step.do === 'rebuild-call'
      const isMoved = step.do === 'split-out' || step.do === 'reassign'
      parts.push(part)
      if (isGone || isMoved || part.index < 0) whole.push(part.message)
      this.isOpen ||= isGone && part.kind === 'call'
      this.isOrphan ||= isGone && part.kind === 'result'
    } else if ('message' in step) whole.push(step.message)
  }

  /** Every call of the round gets its result. */
  private addRound(round: number): void {
    const { calls, pairs } = this.t
    for (let i = round; i < calls.length && pairs.rounds[i] === round; i++) {
      if (!pairs.results[i] && this.t.isExempt(calls[i]!)) continue
      this.parts.push(calls[i]!)
      if (pairs.results[i]) this.parts.push(pairs.results[i]!)
      else this.isOpen = true
    }
    this.isOrphan ||= orphanRounds(this.t).has(round)
  }

  notKnown(unknowns: Unknowns, known: Known): NotKnown | undefined {
    const { parts, pairs } = this
    const id = parts.find((part) => part.id !== undefined && unknowns.mentioned.has(part.id))?.id
    if (id !== undefined) return { what: `a part of an unknown kind that names ${short(id)}`, decides: true }
    const what =
      (this.isStructure ? this.besides(unknowns) : this.inside(unknowns)) ??
      parts.map((part) => unknownIn(part, known)).find((one) => one !== undefined)
    return what === undefined ? undefined : { what, decides: pairs }
  }

  private inside({ strange, keys }: Unknowns): string | undefined {
    const found = this.whole.map((message) => between(strange, message, message) ?? between(keys, message, message))
    return found.find((one) => one !== undefined)
  }

  private besides({ strange, keys }: Unknowns): string | undefined {
    const messages = [...this.whole, ...this.parts.map(({ message }) => message)]
    const { length } = this.t.history
    if (messages.length === 0 && !this.isWhole) return undefined
    const from = this.isWhole ? 0 : messages.reduce((least, one) => Math.min(least, one))
    const to = this.isWhole ? length : messages.reduce((most, one) => Math.max(most, one))
    return (
      between(strange, this.isOrphan ? 0 : from - 1, this.isOpen ? length : to + 1) ?? between(keys, from - 1, to + 1)
    )
  }
}

/** The first calls of rounds that have a result for no call among theirs. */
function orphanRounds(t: Transcript): ReadonlySet<number> {
  const orphans = () => t.pairs.unmatched.filter(({ outcome }) => outcome === 'orphan')
  return t.derive(orphanRounds, () => new Set(orphans().map(({ round }) => round)))
}

function unknownIn(part: Part, known: Known): string | undefined {
  if (!isKnownType(part, known)) return typeName(part)
  const inside = part.kind === 'result' && !part.server && Array.isArray(part.body) ? part.body : []
  const type = inside
    .map((block) => own(block, 'type'))
    .find((one) => typeof one === 'string' && !has(known.types, one))
  if (type !== undefined) return `the type "${short(wordOf(type))}" in a result of message ${part.message}`
  const inner = own(part.value, part.type)
  const held = [part.value, inner].filter(isObject).map((one) => unknownKey(one, known.keys))
  const key = held.find((one) => one !== undefined)
  return key === undefined ? undefined : `the key \`${short(key)}\` of a ${short(part.type)} in message ${part.message}`
}

/** A part of another dialect may have its type under another key, or a name in it: `tool-weather`. */
function isKnownType({ type, value }: Part, { types }: Known): boolean {
  const named = own(value, 'type')
  return has(types, type) || (typeof named === 'string' && has(types, named.split('-')[0]!))
}

/** Names come from the request, and may be of any length. */
function short(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name
}

function typeName({ type, message }: Part): string {
  return `the type "${short(type)}" in message ${message}`
}

/** The first place among these messages. */
function between(places: Places, from: number, to: number): string | undefined {
  let low = 0
  for (let high = places.length; low < high; ) {
    const middle = (low + high) >> 1
    if (places[middle]![0] < from) low = middle + 1
    else high = middle
  }
  const place = places[low]
  return place && place[0] <= to ? place[1] : undefined
}

/** A key without a value says nothing. */
function unknownKey(object: JsonObject, known: ReadonlySet<string>, except?: string): string | undefined {
  for (const key of Object.keys(object)) {
    const value = object[key]
    if (key !== except && value !== undefined && value !== null && value !== false && !has(known, key)) return key
  }
  return undefined
}

function has(known: ReadonlySet<string>, word: string): boolean {
  return known.has(word) || known.has(plainKey(word))
}

/** Bounded: a part may be deep, or hold itself. */
function collectStrings(value: unknown, into: Set<unknown>): void {
  const open: unknown[] = [value]
  for (let steps = 0; open.length > 0 && steps < 10_000; steps++) {
    const one = open.pop()
    if (typeof one === 'string') into.add(one)
    else if (typeof one === 'object' && one !== null) open.push(...Object.values(one).slice(0, 1000))
  }
}
