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

/** Words of a wire format, each as `plainKey` writes it. */
export interface Known {
  /** Keys of a request that do not say where the history is. */
  readonly request: ReadonlySet<string>
  /** Keys of messages and of their parts. */
  readonly keys: ReadonlySet<string>
  /** Those whose value is data: of a tool, of a client, of another SDK. */
  readonly data: ReadonlySet<string>
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

/** `versions`: those and beta features of the request that are not known. Undefined: all is known. */
export function notKnownFor(
  found: RawFinding,
  t: Transcript,
  versions: (() => readonly string[]) | undefined,
): NotKnown | undefined {
  const { known } = t.dialect
  if (!known || found.rule.aboutText) return undefined
  const given = versions ? t.derive(versions, versions) : []
  if (given.length > 0) return { what: given.join(', '), decides: true }
  return inRequest(found, t, known) ?? inHistory(found, t, known)
}

/** What is not known beside a call without a result, so that it may be open on purpose. */
export function unknownBeside(call: Part, t: Transcript): string | undefined {
  const { known } = t.dialect
  const reach = { messages: [], parts: [call], isStructure: true, isWhole: false, isOpen: true, isOrphan: false }
  return known && notKnownIn(reach, t, known)?.what
}

/** The first thing in a request that is not known. */
export function firstUnknown(t: Transcript): string | undefined {
  const { known } = t.dialect
  if (!known) return undefined
  const { strange, inner } = t.derive(unknownsIn, () => unknownsIn(t, known))
  return unknownInRequest(t, known) ?? strange[0]?.[1] ?? inner[0]?.[1]
}

/** Keys that a request may name stored messages with. */
const STORED = /thread|previous|continu|resum|^state|state$|cached/i

/** A finding about one message does not depend on the request around it. */
function inRequest({ rule, fix }: RawFinding, t: Transcript, known: Known): NotKnown | undefined {
  if (rule.phase === 'shape' && !fix.some((step) => step.do === 'set-request')) return undefined
  const key = unknownInRequest(t, known)
  return key === undefined ? undefined : { what: `the key \`${short(key)}\` of the request`, decides: STORED.test(key) }
}

function unknownInRequest(t: Transcript, { request }: Known): string | undefined {
  const unknown = ([key, value]: readonly [string, unknown]) =>
    key !== t.dialect.key && !isBlank(value) && !has(request, key)
  return t.derive(unknownInRequest, () => Object.entries(t.request ?? {}).find(unknown)?.[0])
}

/** All findings of a round are about the same parts. */
function inHistory(found: RawFinding, t: Transcript, known: Known): NotKnown | undefined {
  const [step, ...more] = found.fix
  if (step?.do !== 'complete-round' || more.length > 0) return notKnownIn(reachOf(found, t), t, known)
  const rounds = t.derive(reachOf, () => new Map<number, NotKnown | undefined>())
  const round = t.pairs.rounds[step.call]!
  if (!rounds.has(round)) rounds.set(round, notKnownIn(reachOf(found, t), t, known))
  return rounds.get(round)
}

/** The messages and parts that a finding and its fix are about. */
interface Reach {
  readonly messages: number[]
  readonly parts: Part[]
  readonly isStructure: boolean
  /** About the whole history. Without a fix it is about the request. */
  readonly isWhole: boolean
  /** It pairs calls and results. A later part may answer an open call; an earlier one may make the call of a result. */
  isOpen: boolean
  isOrphan: boolean
}

function reachOf({ rule, at, fix }: RawFinding, t: Transcript): Reach {
  const isStructure = rule.phase === 'structure'
  const isWhole = at.length === 0 && fix.length > 0
  const reach: Reach = { messages: [], parts: [], isStructure, isWhole, isOpen: false, isOrphan: false }
  for (const step of fix) addStep(reach, step, t)
  const isAtMessage = (isStructure || fix.length === 0) && !isPairing(reach)
  if (isAtMessage && typeof at[0] === 'number') reach.messages.push(at[0])
  return reach
}

function addStep(reach: Reach, step: Step, t: Transcript): void {
  const { parts, messages } = reach
  if (step.do === 'complete-round') addRound(reach, t.pairs.rounds[step.call]!, t)
  else if (step.do === 'insert') messages.push(step.after, step.after + 1)
  else if (step.do === 'move') messages.push(step.message, step.after)
  else if ('part' in step) {
    const { part } = step
    const isGone = step.do === 'remove' || step.do === 'note' || step.do === 'rebuild-call'
    const isMoved = step.do === 'split-out' || step.do === 'reassign'
    parts.push(part)
    if (isGone || isMoved || part.index < 0) messages.push(part.message)
    reach.isOpen ||= isGone && part.kind === 'call'
    reach.isOrphan ||= isGone && part.kind === 'result'
  } else if ('message' in step) messages.push(step.message)
}

/** Every call of the round gets its result. */
function addRound(reach: Reach, round: number, t: Transcript): void {
  const { calls, pairs } = t
  for (let i = round; i < calls.length && pairs.rounds[i] === round; i++) {
    const result = pairs.results[i]
    if (!result && t.isExempt(calls[i]!)) continue
    reach.parts.push(calls[i]!, ...(result ? [result] : []))
    reach.isOpen ||= !result
  }
  reach.isOrphan ||= orphanRounds(t).has(round)
}

/** The first calls of rounds that have a result for no call among theirs. */
function orphanRounds(t: Transcript): ReadonlySet<number> {
  const orphans = () => t.pairs.unmatched.filter(({ outcome }) => outcome === 'orphan')
  return t.derive(orphanRounds, () => new Set(orphans().map(({ round }) => round)))
}

function isPairing({ isStructure, parts }: Reach): boolean {
  return isStructure && parts.some(({ kind }) => kind === 'call' || kind === 'result')
}

function notKnownIn(reach: Reach, t: Transcript, known: Known): NotKnown | undefined {
  const unknowns = t.derive(unknownsIn, () => unknownsIn(t, known))
  const id = reach.parts.find((part) => part.id !== undefined && unknowns.mentioned.has(part.id))?.id
  if (id !== undefined) return { what: `a part of an unknown kind that names ${short(id)}`, decides: true }
  const beside = reach.isStructure ? besides(reach, unknowns, t) : inside(reach, unknowns)
  const what = beside ?? reach.parts.map((part) => inPart(part, known)[0]?.what).find((one) => one !== undefined)
  return what === undefined ? undefined : { what, decides: isPairing(reach) }
}

function inside({ messages }: Reach, { strange, inner }: Unknowns): string | undefined {
  const found = messages.map((one) => between(strange, one, one) ?? between(inner, one, one))
  return found.find((one) => one !== undefined)
}

function besides(reach: Reach, { strange, keys, inner }: Unknowns, { history }: Transcript): string | undefined {
  const messages = [...reach.messages, ...reach.parts.map(({ message }) => message)]
  if (messages.length === 0 && !reach.isWhole) return undefined
  const from = reach.isWhole ? 0 : messages.reduce((least, one) => Math.min(least, one)) - 1
  const to = reach.isWhole ? history.length : messages.reduce((most, one) => Math.max(most, one)) + 1
  const first = between(strange, reach.isOrphan ? 0 : from, reach.isOpen ? history.length : to)
  return first ?? between(keys, from, to) ?? between(inner, from + 1, to - 1)
}

interface Unknowns {
  /** Unknown roles, and parts of unknown types. */
  readonly strange: FirstFrom
  /** Unknown keys of messages, calls and results. */
  readonly keys: FirstFrom
  /** Unknown keys of messages and of any of their parts. */
  readonly inner: FirstFrom
  /** All texts under something unknown: ids that it may mean. */
  readonly mentioned: ReadonlySet<unknown>
}

/** For each message the first place from there on, in words. */
type FirstFrom = (readonly [message: number, what: string] | undefined)[]

function between(places: FirstFrom, from: number, to: number): string | undefined {
  const place = places[Math.max(from, 0)]
  return place && place[0] <= to ? place[1] : undefined
}

function unknownsIn(t: Transcript, known: Known): Unknowns {
  const [strange, keys, inner]: FirstFrom[] = [[], [], []] as const
  const mentioned = new Set<unknown>()
  for (let i = t.history.length - 1; i >= 0; i--) {
    const message = t.history[i]
    const parts = t.partsOf(i)
    const body = parts.find(({ index }) => index < 0)?.body
    const inMessage = isObject(message) ? unknownKeys(message, known, true, body) : []
    const kind = isObject(message) ? unknownKind(message, parts, inMessage, i, known) : undefined
    const inParts = parts.map((part) => [part, inPart(part, known)] as const)
    const halves = inParts.flatMap(([part, found]) => (part.kind === 'call' || part.kind === 'result' ? found : []))
    const key = inMessage[0] ? `${inMessage[0].what} of message ${i}` : halves[0]?.what
    strange[i] = kind === undefined ? strange[i + 1] : [i, kind]
    keys[i] = key === undefined ? keys[i + 1] : [i, key]
    const any = key ?? inParts.flatMap(([, found]) => found)[0]?.what
    inner[i] = any === undefined ? inner[i + 1] : [i, any]
    if (kind !== undefined) collectStrings(message, mentioned)
    for (const { held } of [...inMessage, ...inParts.flatMap(([, found]) => found)]) collectStrings(held, mentioned)
  }
  return { strange, keys, inner, mentioned }
}

/** A new role, type or shape: a message without a role, or an object at a known key. */
function unknownKind(
  { role }: JsonObject,
  parts: readonly Part[],
  keys: readonly Unknown[],
  i: number,
  known: Known,
): string | undefined {
  if (typeof role === 'string' && role !== '' && !has(known.roles, role))
    return `the role "${short(role)}" of message ${i}`
  const part = parts.find((one) => !isKnownType(one, known))
  if (part) return `the type "${short(part.type)}" in message ${i}`
  const shape = keys.find(({ level }) => typeof role !== 'string' || level > 0)
  return shape && `${shape.what} of message ${i}`
}

/** Something unknown, in words, and what it holds. */
interface Unknown {
  readonly what: string
  readonly held: unknown
  /** Of a key: the objects around it in its message or part. */
  readonly level: number
}

function inPart(part: Part, known: Known): readonly Unknown[] {
  const { value, type, message, kind } = part
  if (!isKnownType(part, known))
    return [{ what: `the type "${short(type)}" in message ${message}`, held: value, level: 0 }]
  const body = kind === 'result' ? part.body : undefined
  const keys = isObject(value) ? unknownKeys(value, known, false, body) : []
  const found = keys.map((one) => ({ ...one, what: `${one.what} of a ${short(type)} in message ${message}` }))
  const inBody = part.server ? [] : unknownBlocks(body, isObject(own(value, type)), known)
  return [...found, ...inBody.map((one) => ({ ...one, what: `${one.what} in a result of message ${message}` }))]
}

/** In the content of a result. An object without a type is data of the tool, unless types are keys (`isKeyed`). */
function unknownBlocks(body: unknown, isKeyed: boolean, known: Known): readonly Unknown[] {
  const isList = Array.isArray(body)
  const blocks = (isList ? body : [body]).filter(isObject)
  return blocks.flatMap((block) => {
    const type = block['type']
    if (type === undefined && !(isKeyed && isList)) return []
    if (typeof type !== 'string' || has(known.types, type)) return unknownKeys(block, known, false)
    return [{ what: `the type "${short(type)}"`, held: block, level: 0 }]
  })
}

/** Levels of objects inside of a message or part. */
const MOST_LEVELS = 6

/**
 * Unknown keys of an object and of objects in it, and unknown types of blocks in its lists. `parts`: lists are parts of
 * their own, and are left out. The content of a result (`except`) may be data.
 */
function unknownKeys(
  object: JsonObject,
  known: Known,
  parts: boolean,
  except?: unknown,
  level = 0,
): readonly Unknown[] {
  return Object.keys(object).flatMap((key): readonly Unknown[] => {
    const held = object[key]
    if (isBlank(held)) return []
    if (!has(known.keys, key)) return [{ what: `the key \`${short(key)}\``, held, level }]
    if (typeof held !== 'object' || held === except || has(known.data, key) || level === MOST_LEVELS) return []
    if (Array.isArray(held)) return parts ? [] : unknownBlocks(held, false, known)
    return unknownKeys(held as JsonObject, known, parts, except, level + 1)
  })
}

/** The type that a part has itself is that of its dialect, of another one, or has a name in it: `tool-weather`. */
function isKnownType({ type, value }: Part, { types }: Known): boolean {
  const named = own(value, 'type')
  if (isObject(named)) return false
  return typeof named === 'string' ? has(types, named) || has(types, named.split('-')[0]!) : has(types, type)
}

/** A key without a value says nothing. */
function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === false
}

function has(words: ReadonlySet<string>, word: string): boolean {
  return words.has(word) || words.has(plainKey(word))
}

/** Names come from the request, and may be of any length. */
function short(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name
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
