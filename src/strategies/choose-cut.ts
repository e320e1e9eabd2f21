/**
 * Chooses where a compaction cuts: before a turn if what follows fits, else before a round inside the last turn, whose
 * request then stays. The places come from core's `rounds`, and the cut itself is made by core's `split`.
 */
import {
  type Group,
  isObject,
  jsonText,
  own,
  roundsOf,
  splitTranscript,
  type Transcript,
  wordOf,
} from '../core/index.ts'

export interface Cut {
  /** The first message that stays. */
  readonly at: number
  /** For logs: `turn 12, round 3`. */
  readonly name: string
  /** Messages before the cut that stay: later system messages, and the request of a turn that is cut. */
  readonly spared: readonly number[]
  /** The cut is inside a turn, so its request is among the spared messages. */
  readonly inTurn: boolean
  /** What stays is within the budget. */
  readonly fits: boolean
}

export interface CutOptions {
  /** `sums[i]`: tokens of the messages before index i. */
  readonly sums: Float64Array
  /** Tokens available for what stays after the cut. */
  readonly available: number
  /** Number of leading messages that always stay. */
  readonly lead: number
  /** No message from this index on may be removed. */
  readonly ceiling?: number | undefined
  /** At least this many rounds stay. */
  readonly keepRounds: number
}

/** Undefined: there is no place to cut. */
export function chooseCut(transcript: Transcript, options: CutOptions): Cut | undefined {
  const { sums, lead, available } = options
  const { length } = transcript.history
  const groups = roundsOf(transcript)
  const last = groups[Math.max(0, groups.length - Math.max(1, options.keepRounds))]
  const ceiling = Math.min(last?.start ?? 0, options.ceiling ?? length)
  const places = groups.filter(({ start }) => start > lead && start <= ceiling)
  const fits = (at: number, more = 0) => sums[length]! - sums[at]! + more <= available
  const turn = places.find(({ start, round }) => round === 1 && fits(start))
  const chosen = turn ?? insideTurn(places, groups, transcript, sums, fits)
  if (!chosen) return undefined
  const keep = length - chosen.start
  const { at } = splitTranscript(transcript, { minKeep: keep, maxKeep: keep })
  if (at <= lead) return undefined
  const opening = groups.findLast(({ round, start }) => round === 1 && start <= at)!.start
  const prompts = new Set([...requestOf(transcript, opening, at), ...lastPromptBefore(transcript, lead, at)])
  const spared = [...systemMessages(transcript, lead, at), ...[...prompts].sort((a, b) => a - b)]
  return {
    at,
    name: chosen.name,
    spared,
    inTurn: opening !== at,
    fits: fits(at, sizeOf(spared, sums)),
  }
}

function sizeOf(places: readonly number[], sums: Float64Array): number {
  return places.reduce((sum, i) => sum + sums[i + 1]! - sums[i]!, 0)
}

/** The earliest round of the last possible turn that fits together with the turn's request; else the last place. */
function insideTurn(
  places: readonly Group[],
  groups: readonly Group[],
  transcript: Transcript,
  sums: Float64Array,
  fits: (at: number, more?: number) => boolean,
): Group | undefined {
  const end = places.at(-1)
  if (!end) return undefined
  const opening = groups.find(({ turn }) => turn === end.turn)!.start
  const size = sizeOf(requestOf(transcript, opening, end.start), sums)
  return places.find(({ start, turn }) => turn === end.turn && fits(start, start === opening ? 0 : size)) ?? end
}

/** Prompts at the beginning of a turn, up to the first answer. */
function requestOf(transcript: Transcript, opening: number, upTo: number): number[] {
  const request: number[] = []
  for (let i = opening; i < upTo && !transcript.isAssistant(i); i++) if (transcript.isPrompt(i)) request.push(i)
  return request
}

/** The last prompt, if it is before the cut: it may be inside a turn, sent while a tool ran. */
function lastPromptBefore(transcript: Transcript, from: number, at: number): number[] {
  for (let i = transcript.history.length - 1; i >= from; i--) if (transcript.isPrompt(i)) return i < at ? [i] : []
  return []
}

/** System messages before the cut, each text once: some clients repeat theirs whenever they resume. */
function systemMessages(transcript: Transcript, lead: number, to: number): number[] {
  const { history } = transcript
  // By length first: comparing long texts is faster than hashing them.
  const seen = new Map<number, string[]>()
  const isNew = (message: unknown): boolean => {
    const text = systemText(message)
    const alike = seen.get(text.length)
    if (alike?.includes(text)) return false
    if (alike) alike.push(text)
    else seen.set(text.length, [text])
    return true
  }
  for (let i = 0; i < lead; i++) isNew(history[i])
  const places: number[] = []
  for (let i = lead; i < to; i++) if (transcript.role(i) === 'system' && isNew(history[i])) places.push(i)
  return places
}

const written = new WeakMap<object, string>()

function systemText(message: unknown): string {
  const content = own(message, 'content')
  if (typeof content === 'string' || !isObject(message)) return wordOf(content)
  const known = written.get(message) ?? jsonText(message)!
  written.set(message, known)
  return known
}

/** Number of system messages at the beginning. */
export function leadingSystemMessages(transcript: Transcript): number {
  let lead = 0
  while (lead < transcript.history.length && transcript.role(lead) === 'system') lead++
  return lead
}

/** The first message that waits for the client: an approval request, or an approved call that was not run. */
export function firstWaiting(transcript: Transcript): number | undefined {
  const { parts } = transcript
  const answered = new Set<unknown>()
  let first = parts.find((part) => part.kind === 'call' && transcript.isExempt(part))?.message
  for (let i = parts.length - 1; i >= 0; i--) {
    const { value, type, message } = parts[i]!
    if (type === 'mcp_approval_response') answered.add(own(value, 'approval_request_id'))
    else if (type === 'mcp_approval_request' && !answered.has(own(value, 'id')))
      first = Math.min(message, first ?? message)
  }
  return first
}
