/**
 * Which messages of a history are in another dialect, wholly or in part. Only messages that the dialect itself could
 * not read are examined further: a native history costs one cheap test per message.
 */
import {
  type About,
  type Dialect,
  isObject,
  type JsonObject,
  type Part,
  readMessage,
  Transcript,
} from '../../core/index.ts'

/** Consecutive messages in one other dialect, or one message that holds parts of others. */
export interface ForeignRun {
  readonly from: number
  readonly to: number
  /** Undefined: the message is native and holds foreign parts. */
  readonly source: Dialect | undefined
  readonly parts: ReadonlyMap<Part, Dialect>
}

const NO_PARTS: ReadonlyMap<Part, Dialect> = new Map()
const NONE: readonly never[] = []
const WRAPPED = ['message']

/** A rule about messages and parts of other dialects. */
export function aboutForeign(_constraint: object, { neutral }: Dialect): About {
  return {
    parts: ['opaque'],
    messages: ['unknown-role'],
    keys: neutral?.foreignKeys ?? [],
    messageKeys: WRAPPED,
    always: neutral !== undefined && !neutral.foreignKeys,
  }
}

export function foreignRuns(t: Transcript, others: readonly Dialect[]): readonly ForeignRun[] {
  const suspects = suspectsIn(t, others)
  if (suspects.length === 0) return NONE
  const runs: ForeignRun[] = []
  for (const i of suspects) {
    const run = classify(t, i, others)
    const last = runs.at(-1)
    if (!run) continue
    const isNext = last?.source !== undefined && last.to === i && run.source !== undefined
    if (isNext && (last.source === run.source || canRead(t.history[i] as JsonObject, last.source)))
      runs[runs.length - 1] = { ...last, to: i + 1 }
    else runs.push(run)
  }
  return runs
}

export interface WrappedMessage {
  readonly index: number
  readonly inner: JsonObject
}

/** Messages inside a record of another list (`{ message: { role, content } }`), with their indexes. */
export function wrappedMessages(t: Transcript): readonly WrappedMessage[] {
  if (!t.keys.mayHaveOnMessage(WRAPPED)) return NONE
  const found: WrappedMessage[] = []
  t.history.forEach((message, index) => {
    if (!isObject(message) || message['role'] !== undefined) return
    const inner = message['message']
    if (isObject(inner) && typeof inner['role'] === 'string') found.push({ index, inner })
  })
  return found
}

/** Messages with a role, a part or fields that the dialect does not know, in order. */
function suspectsIn(t: Transcript, others: readonly Dialect[]): readonly number[] {
  const { neutral } = t.dialect
  if (!neutral) return NONE
  const asks = neutral.foreignKeys === undefined || t.keys.mayHave(neutral.foreignKeys)
  const opaque = new Set<number>()
  // A name: the dialect knows the part, as a copy of something else in its message.
  for (const { value, message, name } of t.opaque)
    if (!opaque.has(message) && name === undefined && isObject(value) && ownerOf(value, others)) opaque.add(message)
  const suspects: number[] = []
  for (let i = 0; i < t.history.length; i++) {
    const message = t.history[i]
    if (!isObject(message)) continue
    if (t.role(i) === 'unknown' || opaque.has(i) || (asks && neutral.hasForeignFields(message))) suspects.push(i)
  }
  return suspects
}

function ownerOf(part: JsonObject, others: readonly Dialect[]): Dialect | undefined {
  return others.find(({ neutral }) => neutral?.ownsPart(part))
}

function classify(t: Transcript, i: number, others: readonly Dialect[]): ForeignRun | undefined {
  const message = t.history[i] as JsonObject
  const parts = new Map<Part, Dialect>()
  let isNative = false
  for (const part of t.partsOf(i)) {
    const isUnknown = part.kind === 'opaque' && part.name === undefined
    const owner = isUnknown && isObject(part.value) ? ownerOf(part.value, others) : undefined
    if (owner) parts.set(part, owner)
    else if (part.kind === 'call' || part.kind === 'result') isNative = true
  }
  const owners = others.filter(({ neutral }) => neutral?.ownsMessage(message))
  // A message of a framework may hold blocks of a provider as well: the dialect that knows all of it is its own.
  const whole = owners.find((one) => canRead(message, one))
  const source = whole ?? owners[0]
  const isAlone = whole !== undefined || [...parts.values()].every((owner) => owner === source)
  const isUnread = t.role(i) === 'unknown' || t.dialect.neutral!.hasForeignFields(message)
  if (source && isAlone && (isNative ? isUnread && coversHalves(message, source, t.partsOf(i)) : true))
    return { from: i, to: i + 1, source, parts: NO_PARTS }
  return parts.size > 0 ? { from: i, to: i + 1, source: undefined, parts } : undefined
}

/** The other dialect reads every call and result of the message that its own dialect reads. */
function coversHalves(message: JsonObject, source: Dialect, native: readonly Part[]): boolean {
  const ids = new Set(readMessage(message, source).parts.map(({ kind, id }) => `${kind} ${id}`))
  const halves = native.filter(({ kind, id }) => (kind === 'call' || kind === 'result') && id !== undefined)
  return halves.every(({ kind, id }) => ids.has(`${kind} ${id}`))
}

/** The one other dialect that every message of the history can be read in, if none has a mark of the target's own. */
export function wholeSource(
  t: Transcript,
  runs: readonly ForeignRun[],
  others: readonly Dialect[],
): Dialect | undefined {
  const source = runs[0]?.source
  if (!source || runs.some((run) => run.source !== source)) return undefined
  const rest = [t.dialect, ...others].filter((one) => one.id !== source.id)
  if (!t.history.every((message) => fits(message, source, rest))) return undefined
  return t.convert || isAllMarked(t, source) ? source : undefined
}

/** Every message is marked as the source's; or, beside plain prompts, every answer is, and tools are used. */
function isAllMarked(t: Transcript, source: Dialect): boolean {
  const plain = t.history.flatMap((message, i) => (source.neutral!.ownsMessage(message as JsonObject) ? [] : [i]))
  if (plain.length === 0) return true
  if (plain.some((i) => t.role(i) === 'assistant' || t.role(i) === 'tool')) return false
  const { calls, results } = new Transcript(t.history, source, { inProgress: true })
  return calls.length > 0 || results.length > 0
}

/** Some messages look the same in two dialects: they keep the dialect of the message before. */
function canRead(message: JsonObject, source: Dialect): boolean {
  if (source.neutral!.hasForeignFields(message)) return false
  const { role, parts } = readMessage(message, source)
  // A name: the dialect knows the part, as a copy of something else in its message.
  return (
    role !== 'unknown' && parts.length > 0 && parts.every(({ kind, name }) => kind !== 'opaque' || name !== undefined)
  )
}

function fits(message: unknown, source: Dialect, rest: readonly Dialect[]): boolean {
  if (!isObject(message)) return false
  if (source.neutral!.ownsMessage(message)) return true
  if (rest.some(({ neutral }) => neutral?.ownsMessage(message))) return false
  if (source.neutral!.hasForeignFields(message)) return false
  const { role, parts } = readMessage(message, source)
  // A dialect with a place for instructions has no system messages.
  if (role === 'unknown' || (role === 'system' && source.withInstructions)) return false
  return parts.every(({ kind }) => kind !== 'opaque')
}
