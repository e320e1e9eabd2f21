/**
 * A history read once through its dialect: messages, parts by kind, pairs. Used by rules, repair, sessions, compaction
 * and gateway. Read-only, and derived from the history alone: the same history gives the same transcript.
 */
import type { Dialect } from './dialect.ts'
import { isObject, type JsonObject } from './json.ts'
import { type KeyFlags, KeyIndex } from './key-index.ts'
import { Pairing } from './pairing.ts'
import { flagOf, HAS_RESULT, type MessageFlags, moveTo, type Part, ROLE, type Role, roleOf } from './part.ts'
import { DEFAULT_POLICY, type Policy } from './policy.ts'
import type { MessageFault, PartList } from './rule.ts'
import { pairServerParts, type ServerPairs } from './server-pairs.ts'
import type { WorkLimit } from './work-limit.ts'

/** A message and an index in its list of parts. */
export type Place = readonly [message: number, index: number]

/** What is known about a history beyond its messages. */
export interface TranscriptOptions {
  /** The request body that holds the history. */
  readonly request?: JsonObject | undefined
  /** The last round may still be answered. */
  readonly inProgress?: boolean | undefined
  readonly policy?: Policy | undefined
  /** A history of another dialect is to be converted. */
  readonly convert?: boolean | undefined
  /** The first place that this repair has changed in a way that a signature covers. */
  readonly editedFrom?: Place | undefined
  readonly before?: ReadBefore | undefined
  /** The keys that the rules look for. */
  readonly keys?: KeyFlags | undefined
  /** Ends the reading of a history with too many parts for its size. */
  readonly limit?: WorkLimit | undefined
}

/**
 * A history before an edit. Its transcript is not used again: the next one takes its parts.
 * `origins`: for each message its index there, or -1.
 */
export interface ReadBefore {
  readonly transcript: Transcript
  readonly origins: readonly number[]
}

/** A flag for each thing that a rule can be about. */
export const OCCURS: Readonly<Record<PartList | MessageFault | 'history' | 'request', number>> = {
  calls: 1,
  results: 2,
  texts: 4,
  reasoning: 8,
  media: 16,
  opaque: 32,
  serverParts: 64,
  'null-content': 128,
  'no-content': 256,
  'unknown-role': 512,
  history: 1024,
  request: 2048,
}

/** A history as read through its dialect: parts, pairs, turns. Read-only. */
export class Transcript {
  readonly history: readonly unknown[]
  /** The dialect, with what it writes in the form that this history has. */
  readonly dialect: Dialect
  readonly request: JsonObject | undefined
  readonly inProgress: boolean
  readonly policy: Policy
  readonly convert: boolean
  readonly editedFrom: Place | undefined
  /** Role and kinds of parts of each message. */
  readonly flags: MessageFlags[]
  /** The parts of message `i` are `parts[starts[i]]` up to `parts[starts[i + 1]]`. */
  readonly starts: number[]
  readonly parts: Part[] = []
  /** Client-side calls. */
  readonly calls: Part[] = []
  /** Client-side results. */
  readonly results: Part[] = []
  readonly texts: Part[] = []
  readonly reasoning: Part[] = []
  readonly media: Part[] = []
  readonly opaque: Part[] = []
  /** Calls and results of tools that the provider runs. */
  readonly serverParts: Part[] = []
  readonly contentKey: string
  readonly contents: unknown[]
  private readonly callKey: string | undefined
  private pairing: Pairing | undefined
  private readonly keyFlags: KeyFlags | undefined
  private keyIndex: KeyIndex | undefined
  private faults = 0
  private readonly limit: WorkLimit | undefined
  private readonly derivedKeys: unknown[] = []
  private readonly derived: unknown[] = []

  constructor(history: readonly unknown[], dialect: Dialect, options: TranscriptOptions = {}) {
    this.history = history
    this.dialect = dialect.variantFor?.(history) ?? dialect
    this.request = options.request
    this.inProgress = options.inProgress ?? false
    this.policy = options.policy ?? DEFAULT_POLICY
    this.convert = options.convert ?? false
    this.editedFrom = options.editedFrom
    this.keyFlags = options.keys
    this.limit = options.limit
    this.contentKey = this.dialect.blocks?.[0] ?? 'content'
    this.callKey = this.dialect.callLists?.[0]
    // Allocated in full length: a list that grows is copied, and its copies stay until the next full collection.
    this.flags = new Array<MessageFlags>(history.length)
    this.contents = new Array<unknown>(history.length)
    this.starts = new Array<number>(history.length + 1).fill(0)
    if (options.before?.transcript.dialect === this.dialect) this.readAfter(options.before)
    else for (let i = 0; i < history.length; i++) this.readMessage(i)
  }

  /** Calls with their results: by position first, then by id. */
  get pairs(): Pairing {
    this.pairing ??= new Pairing(this)
    return this.pairing
  }

  get serverPairs(): ServerPairs {
    return this.derive(pairServerParts, () => pairServerParts(this.serverParts))
  }

  /** The provider holds earlier turns itself, so that a call may be there. */
  get holdsEarlierTurns(): boolean {
    return this.derive('holdsEarlierTurns', () => this.dialect.holdsEarlierTurns?.(this) ?? false)
  }

  /** The keys of the history. A rule about a rare key asks here before it looks at any message. */
  get keys(): KeyIndex {
    this.keyIndex ??= new KeyIndex(this.history, this.keyFlags)
    return this.keyIndex
  }

  /** What the history has, as flags of `OCCURS`. */
  get occurring(): number {
    let flags = OCCURS.history | this.faults
    if (this.calls.length > 0) flags |= OCCURS.calls
    if (this.results.length > 0) flags |= OCCURS.results
    if (this.texts.length > 0) flags |= OCCURS.texts
    if (this.reasoning.length > 0) flags |= OCCURS.reasoning
    if (this.media.length > 0) flags |= OCCURS.media
    if (this.opaque.length > 0) flags |= OCCURS.opaque
    if (this.serverParts.length > 0) flags |= OCCURS.serverParts
    return this.request ? flags | OCCURS.request : flags
  }

  role(message: number): Role {
    return roleOf(this.flags[message]!)
  }

  isAssistant(message: number): boolean {
    return (this.flags[message]! & 7) === ROLE.assistant
  }

  /** A message of the user that carries no results. */
  isPrompt(message: number): boolean {
    const flags = this.flags[message]!
    return (flags & 7) === ROLE.user && (flags & HAS_RESULT) === 0
  }

  partsOf(message: number): readonly Part[] {
    return this.parts.slice(this.starts[message], this.starts[message + 1])
  }

  /** The call that a result answers. */
  callOf(result: Part): Part | undefined {
    const { calls, pairs } = this
    return this.derive(Pairing, () => new Map(calls.map((call, i) => [pairs.results[i], call]))).get(result)
  }

  /** Client-side calls without a result. */
  unansweredCalls(): readonly Part[] {
    const { results } = this.pairs
    return this.calls.filter((_, i) => !results[i])
  }

  lastAssistant(): number {
    let at = this.flags.length - 1
    while (at >= 0 && !this.isAssistant(at)) at--
    return at
  }

  /** The dialect knows that this call needs no result: the client runs it next. */
  isExempt({ id }: Part): boolean {
    const { dialect, history } = this
    if (!dialect.exemptCalls || id === undefined) return false
    return this.derive(dialect, () => dialect.exemptCalls!(history)).has(id)
  }

  /** A value that follows from the transcript alone, worked out once under this key. */
  derive<T>(key: unknown, make: () => T): T {
    // A dozen keys at most: a list is faster than a map.
    const at = this.derivedKeys.indexOf(key)
    if (at >= 0) return this.derived[at] as T
    const value = make()
    this.derivedKeys.push(key)
    this.derived.push(value)
    return value
  }

  /** Reads only messages that changed or are new. */
  private readAfter({ transcript, origins }: ReadBefore): void {
    const { history } = this
    let next = 0
    for (let i = 0; i < history.length; i++) {
      const origin = origins[i] ?? -1
      // In ascending order, so that no part is taken twice.
      if (origin >= next && transcript.history[origin] === history[i]) {
        this.take(transcript, origin, i)
        next = origin + 1
      } else this.readMessage(i)
    }
    const keys = transcript.keyIndex
    if (keys) this.keyIndex = new KeyIndex(history, this.keyFlags, { history: transcript.history, keys, origins })
  }

  private take(before: Transcript, origin: number, i: number): void {
    for (let k = before.starts[origin]!; k < before.starts[origin + 1]!; k++) {
      const part = before.parts[k]!
      moveTo(part, i)
      this.parts.push(part)
      this.index(part)
    }
    this.end(i, before.flags[origin]!, before.contents[origin])
  }

  private readMessage(i: number): void {
    const { parts } = this
    const from = parts.length
    const message = this.history[i]
    const content = isObject(message) ? message[this.contentKey] : undefined
    if (Array.isArray(content)) this.limit?.checkEntries(i + from + content.length)
    const calls = this.callKey === undefined || !isObject(message) ? undefined : message[this.callKey]
    if (Array.isArray(calls)) this.limit?.checkEntries(i + from + calls.length)
    const role = this.dialect.read(message, i, parts)
    let flags: MessageFlags = ROLE[role]
    for (let k = from; k < parts.length; k++) {
      const part = parts[k]!
      flags |= flagOf(part)
      this.index(part)
    }
    this.end(i, flags, content)
  }

  private end(i: number, flags: MessageFlags, content: unknown): void {
    if ((flags & 7) === ROLE.unknown) this.faults |= OCCURS['unknown-role']
    if (content === null) this.faults |= OCCURS['null-content']
    else if (content === undefined) this.faults |= OCCURS['no-content']
    this.flags[i] = flags
    this.starts[i + 1] = this.parts.length
    this.contents[i] = content
  }

  private index(part: Part): void {
    const { kind } = part
    if (kind === 'text') this.texts.push(part)
    else if (kind === 'call' || kind === 'result') this.indexHalf(part)
    else if (kind === 'reasoning') this.reasoning.push(part)
    else if (kind === 'media') this.media.push(part)
    else this.opaque.push(part)
  }

  /** A call or a result. */
  private indexHalf(part: Part): void {
    if (part.server) this.serverParts.push(part)
    else if (part.kind === 'result') {
      if (Array.isArray(part.body)) this.limit?.checkEntries(part.body.length)
      this.results.push(part)
    } else {
      part.order = this.calls.length
      this.calls.push(part)
    }
  }
}

/** One message, read alone. */
export interface MessageReading {
  readonly role: Role
  readonly flags: MessageFlags
  readonly parts: readonly Part[]
}

/** `index`: that of the message, for the places of its parts. */
export function readMessage(message: unknown, dialect: Dialect, index = 0): MessageReading {
  const parts: Part[] = []
  const role = dialect.read(message, index, parts)
  return { role, flags: parts.reduce((flags, part) => flags | flagOf(part), ROLE[role]), parts }
}
