/**
 * Where the last resort cuts: at a turn if what follows fits, else at a round inside the last turn, whose own request then stays.
 * Chooses among the places that core calls whole, and cuts through core's `split` alone.
 */
import { type Dialect, HAS_RESULT, outlineOf, own, type Part, rounds, split } from '../core/index.ts'

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
  const groups = rounds(history, dialect)
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
  const spared = [...systemIn(history, dialect, options.lead, at), ...[...asked].sort((a, b) => a - b)]
  const size = spared.reduce((sum, i) => sum + options.sums[i + 1]! - options.sums[i]!, 0)
  return { at, name: chosen.name, spared, inTurn: opening !== at, fits: fits(at, size) }
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
    if (role === 'user' && (outlineOf(role, parts) & HAS_RESULT) === 0) request.push(i)
  }
  return request
}

/** The last prompt, if it goes: it may stand inside a turn, said while a tool ran. */
function lastPromptIn(history: readonly unknown[], dialect: Dialect, from: number, at: number): number[] {
  const parts: Part[] = []
  for (let i = history.length - 1; i >= from; i--) {
    parts.length = 0
    const role = dialect.read(history[i], i, parts)
    if (role === 'user' && (outlineOf(role, parts) & HAS_RESULT) === 0) return i < at ? [i] : []
  }
  return []
}

/** System messages that go, each once: some clients repeat theirs with every conversation they resume. */
function systemIn(history: readonly unknown[], dialect: Dialect, lead: number, to: number): number[] {
  const seen = new Set(history.slice(0, lead).map(wordsOf))
  const places: number[] = []
  for (let i = lead; i < to; i++) {
    if (!isSystem(history[i], dialect)) continue
    const text = wordsOf(history[i])
    if (seen.has(text)) continue
    seen.add(text)
    places.push(i)
  }
  return places
}

function wordsOf(message: unknown): string {
  const content = own(message, 'content')
  return typeof content === 'string' ? content : JSON.stringify(message)
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
export function waitingFrom(history: readonly unknown[], dialect: Dialect): number | undefined {
  const excused = dialect.excused?.(history)
  const answered = new Set<unknown>()
  let first: number | undefined
  if (!dialect.items && !excused?.size) return undefined
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
