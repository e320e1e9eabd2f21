/**
 * Where the last resort cuts: at a turn if what follows fits, else at a round inside the last turn, whose own request then stays.
 * Chooses among the places that core calls whole, and cuts through core's `split` alone.
 */
import {
  type Dialect,
  flagsOf,
  HAS_CALL,
  HAS_RESULT,
  isObject,
  own,
  type Part,
  ROLE,
  rounds,
  split,
} from '../core/index.ts'
import { WAITS } from './tokens.ts'

export interface Cut {
  /** The first message that stays. */
  readonly at: number
  /** For logs: `turn 12, round 3`. */
  readonly name: string
  /** Of what goes, messages that stay all the same: system messages behind the leading ones, and the request of a turn that is cut. */
  readonly spared: readonly number[]
  /** The turn's own request is among them, because the cut fell inside it. */
  readonly inTurn: boolean
  /** What stays is within the room. */
  readonly fits: boolean
}

export interface CutOptions {
  /** `flags[i]`: the outline of message i. */
  readonly flags: Uint16Array
  /** `sums[i]`: tokens of the messages before place i. */
  readonly sums: Float64Array
  /** Tokens there are for what stays behind the cut. */
  readonly room: number
  /** So many messages at the beginning always stay. */
  readonly lead: number
  /** Nothing from here on may go. */
  readonly ceiling?: number | undefined
  /** At least so many rounds stay. */
  readonly keepRounds: number
}

/** Undefined: there is no place to cut at all. */
export function chooseCut(history: readonly unknown[], dialect: Dialect, options: CutOptions): Cut | undefined {
  const groups = groupsNear(history, dialect, options)
  const last = groups[Math.max(0, groups.length - Math.max(1, options.keepRounds))]
  const ceiling = Math.min(last?.start ?? 0, options.ceiling ?? history.length)
  const places = groups.filter(({ start }) => start > options.lead && start <= ceiling)
  const total = options.sums[history.length]!
  const fits = (at: number, more = 0) => total - options.sums[at]! + more <= options.room
  const turn = places.find(({ start, round }) => round === 1 && fits(start))
  const chosen = turn ?? insideTurn(places, groups, history, dialect, options, fits)
  if (!chosen) return undefined
  const keep = history.length - chosen.start
  // From the turn's beginning on, which is whole: what is before it need not be surveyed a second time.
  const from = groups.findLast(({ round, start }) => round === 1 && start < chosen.start)?.start ?? 0
  const at = from + split(history.slice(from), dialect, { minKeep: keep, maxKeep: keep }).at
  if (at <= options.lead) return undefined
  const opening = groups.findLast(({ round, start }) => round === 1 && start <= at)!.start
  const asked = new Set([
    ...requestOf(history, dialect, opening, at),
    ...lastPromptIn(history, dialect, options.lead, at),
  ])
  const spared = [...systemIn(history, options.flags, options.lead, at), ...[...asked].sort((a, b) => a - b)]
  const size = spared.reduce((sum, i) => sum + options.sums[i + 1]! - options.sums[i]!, 0)
  return { at, name: chosen.name, spared, inTurn: opening !== at, fits: fits(at, size) }
}

/**
 * The rounds from a prompt on behind which all places lie that may be chosen, named as in the whole history.
 * Where a result behind it answers a call before it, the whole history is surveyed.
 */
function groupsNear(history: readonly unknown[], dialect: Dialect, options: CutOptions): ReturnType<typeof rounds> {
  const from = promptBefore(options, history.length)
  const far = from > 0 && from <= (options.ceiling ?? from) && !reachesBack(history, dialect, options.flags, from)
  const near = far ? rounds(history.slice(from), dialect) : []
  if (near.length <= options.keepRounds) return rounds(history, dialect)
  const before = turnsBefore(options.flags, from, dialect.items === true)
  return near.map((group) => {
    const turn = group.turn + before
    const [start, end] = [group.start + from, group.end + from]
    return { name: `turn ${turn}, round ${group.round}`, turn, round: group.round!, start, end }
  })
}

/** A prompt behind an answer or a result, at or before the first place whose tail would fit. */
function promptBefore({ sums, flags, room, lead }: CutOptions, length: number): number {
  let at = length
  while (at > lead && sums[length]! - sums[at - 1]! <= room) at--
  // The place must not be the first group: nothing before that is ever chosen.
  for (at = Math.min(at, length - 1) - 1; at > lead; at--) {
    const opens = (flags[at]! & 7) === ROLE.user && (flags[at]! & HAS_RESULT) === 0
    if (opens && (flags[at - 1]! & 7) === ROLE.assistant && (flags[at - 1]! & HAS_CALL) === 0) return at
  }
  return 0
}

function reachesBack(history: readonly unknown[], dialect: Dialect, flags: Uint16Array, from: number): boolean {
  const calls = new Set<string | undefined>()
  const parts: Part[] = []
  for (let i = from; i < history.length; i++) {
    if ((flags[i]! & (HAS_CALL | HAS_RESULT)) === 0) continue
    parts.length = 0
    dialect.read(history[i], i, parts)
    for (const { kind, server, id, name } of parts) {
      if (server) continue
      if (kind === 'call') calls.add(id ?? name)
      else if (kind === 'result' && !calls.has(id ?? name)) return true
    }
  }
  return false
}

/** How many turns begin before this prompt, counted as core counts them. */
function turnsBefore(flags: Uint16Array, to: number, items: boolean): number {
  let turn = 0
  let opened = -1
  for (let i = 0; i < to; i++) {
    const role = flags[i]! & 7
    if (role === ROLE.assistant) {
      const joins = items && i > 0 && (flags[i - 1]! & 7) === ROLE.assistant
      const start = opened >= 0 ? opened : i
      if (!joins && (turn === 0 || ((flags[start]! & 7) === ROLE.user && (flags[start]! & HAS_RESULT) === 0))) turn++
      opened = -1
    } else if ((flags[i]! & HAS_RESULT) === 0 && role !== ROLE.tool && opened < 0) opened = i
  }
  return turn
}

/** The earliest round of the last turn that can be reached and fits with the turn's request; else the last place there is. */
function insideTurn(
  places: ReturnType<typeof rounds>,
  groups: ReturnType<typeof rounds>,
  history: readonly unknown[],
  dialect: Dialect,
  { sums }: CutOptions,
  fits: (at: number, more?: number) => boolean,
): (typeof places)[number] | undefined {
  const end = places.at(-1)
  if (!end) return undefined
  const opening = groups.find(({ turn }) => turn === end.turn)!.start
  const request = requestOf(history, dialect, opening, end.start)
  const size = request.reduce((sum, i) => sum + sums[i + 1]! - sums[i]!, 0)
  return places.find(({ start, turn }) => turn === end.turn && fits(start, start === opening ? 0 : size)) ?? end
}

/** Prompts at the beginning of a turn, up to the first answer. */
function requestOf(history: readonly unknown[], dialect: Dialect, opening: number, upTo: number): number[] {
  const request: number[] = []
  const parts: Part[] = []
  for (let i = opening; i < upTo; i++) {
    parts.length = 0
    const role = dialect.read(history[i], i, parts)
    if (role === 'assistant') break
    if (role === 'user' && (flagsOf(role, parts) & HAS_RESULT) === 0) request.push(i)
  }
  return request
}

/** The last prompt, if it goes: it may stand inside a turn, said while a tool ran. */
function lastPromptIn(history: readonly unknown[], dialect: Dialect, from: number, at: number): number[] {
  const parts: Part[] = []
  for (let i = history.length - 1; i >= from; i--) {
    parts.length = 0
    const role = dialect.read(history[i], i, parts)
    if (role === 'user' && (flagsOf(role, parts) & HAS_RESULT) === 0) return i < at ? [i] : []
  }
  return []
}

/** System messages that go, each once: some clients repeat theirs with every conversation they resume. */
function systemIn(history: readonly unknown[], flags: Uint16Array, lead: number, to: number): number[] {
  // By length first: long texts are compared sooner than hashed.
  const seen = new Map<number, string[]>()
  const isNew = (message: unknown): boolean => {
    const text = wordsOf(message)
    const alike = seen.get(text.length)
    if (alike?.includes(text)) return false
    if (alike) alike.push(text)
    else seen.set(text.length, [text])
    return true
  }
  for (let i = 0; i < lead; i++) isNew(history[i])
  const places: number[] = []
  for (let i = lead; i < to; i++) if ((flags[i]! & 7) === ROLE.system && isNew(history[i])) places.push(i)
  return places
}

const written = new WeakMap<object, string>()

function wordsOf(message: unknown): string {
  const content = own(message, 'content')
  if (typeof content === 'string' || !isObject(message)) return String(content)
  const known = written.get(message) ?? JSON.stringify(message)
  written.set(message, known)
  return known
}

function isSystem(message: unknown, dialect: Dialect): boolean {
  const role = own(message, 'role')
  // Where the role is plainly said nothing needs to be read.
  if (role === 'user' || role === 'assistant' || role === 'tool' || role === 'model') return false
  return dialect.read(message, 0, []) === 'system'
}

/** How many system messages stand at the beginning. */
export function leadOf(history: readonly unknown[], dialect: Dialect): number {
  let lead = 0
  while (lead < history.length && isSystem(history[lead], dialect)) lead++
  return lead
}

/** The first message with something that still waits for the client: an approval, or a call that one was given for. */
export function waitingFrom(history: readonly unknown[], dialect: Dialect, flags: Uint16Array): number | undefined {
  const excused = dialect.excused?.(history)
  const answered = new Set<unknown>()
  let first: number | undefined
  let asks = excused !== undefined && excused.size > 0
  for (let i = 0; i < flags.length && !asks; i++) asks = (flags[i]! & WAITS) !== 0
  if (!asks) return undefined
  const parts: Part[] = []
  for (let i = history.length - 1; i >= 0; i--) {
    const type = own(history[i], 'type')
    if (type === 'mcp_approval_response') answered.add(own(history[i], 'approval_request_id'))
    if (type === 'mcp_approval_request' && !answered.has(own(history[i], 'id'))) first = i
    if (!excused?.size) continue
    parts.length = 0
    dialect.read(history[i], i, parts)
    if (parts.some(({ kind, id }) => kind === 'call' && id !== undefined && excused.has(id))) first = i
  }
  return first
}
