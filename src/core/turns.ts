/**
 * Rounds, turns and the one place where a history may be cut.
 * A cut never divides a pair, a parallel batch or what the API gave as one answer.
 */
import type { Dialect } from './dialect.ts'
import { SutureError } from './error.ts'
import { checkValue, isDialect } from './options.ts'
import { HAS_RESULT } from './part.ts'
import { Transcript } from './transcript.ts'

/** A turn or a round, as a range of messages. */
export interface Group {
  /** For logs and errors: `turn 12`, `turn 12, round 3`. */
  readonly name: string
  readonly turn: number
  readonly round?: number
  /** The messages [start, end) of the history. */
  readonly start: number
  readonly end: number
  /** Of a round: where its reply begins. Before that, from `start` on, is the prompt. `end`: there is no reply yet. */
  readonly reply?: number
}

/** A history in two halves. */
export interface Split<T> {
  /** The first message that is kept. */
  readonly at: number
  readonly head: T[]
  readonly tail: T[]
  /** One user message if the cut is inside a turn: its prompt is then not in `tail`. Send `[...preamble, ...tail]`. */
  readonly preamble: T[]
}

/** How much a split keeps. */
export interface SplitOptions {
  /** At least so many messages stay. */
  readonly minKeep: number
  /** A last turn longer than this is cut at a round instead of being kept whole. */
  readonly maxKeep?: number
}

export const CUT = '(What was said before this point is not shown.)'

/** From one user prompt up to the next. A message that carries results is no prompt, whatever its role. */
export function turns(history: readonly unknown[], dialect: Dialect): readonly Group[] {
  return groupsOf(surveyOf(history, dialect).turns, history.length).map(([start, end], i) => ({
    name: `turn ${i + 1}`,
    turn: i + 1,
    start,
    end,
  }))
}

/** One API round trip each: the prompt if there is one, the answer, and the results of its calls. */
export function rounds(history: readonly unknown[], dialect: Dialect): readonly Group[] {
  const survey = surveyOf(history, dialect)
  return roundsIn(history.length, survey)
}

export function roundsOf(transcript: Transcript): readonly Group[] {
  return transcript.derive(roundsIn, () => roundsIn(transcript.history.length, surveyTranscript(transcript)))
}

function roundsIn(length: number, found: Survey): readonly Group[] {
  const opens = new Set(found.turns)
  let turn = 0
  let round = 0
  let next = 0
  return groupsOf(found.rounds, length).map(([start, end]) => {
    while (found.replies[next]! < start) next++
    if (opens.has(start) || turn === 0) {
      turn++
      round = 0
    }
    round++
    const reply = Math.min(found.replies[next] ?? end, end)
    return { name: `turn ${turn}, round ${round}`, turn, round, start, end, reply }
  })
}

/** The group that holds this message. */
export function groupAt(groups: readonly Group[], message: number): Group | undefined {
  let [low, high] = [0, groups.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (groups[middle]!.end <= message) low = middle + 1
    else high = middle
  }
  return groups[low]
}

/** Names of groups for logs, neighbors together: `turn 1, round 1 to turn 3, round 2`. `places` ascend. */
export function namesAt(groups: readonly Group[], places: Iterable<number>): readonly string[] {
  const runs: [first: number, last: number][] = []
  let at = 0
  for (const place of places) {
    while (at < groups.length - 1 && groups[at]!.end <= place) at++
    const run = runs.at(-1)
    if (run && at - run[1] <= 1) run[1] = at
    else if (groups.length > 0) runs.push([at, at])
  }
  return runs.map(([first, last]) => {
    const from = groups[first]!.name
    return first === last ? from : `${from} to ${groups[last]!.name}`
  })
}

/** Cuts at a turn, at or before the place that `minKeep` names; inside a turn larger than `maxKeep`, at a round. */
export function split<T>(history: readonly T[], dialect: Dialect, options: SplitOptions): Split<T> {
  checkValue('The options of split', options, 'object', 'Set how many messages to keep: { minKeep: 20 }.')
  checkHistory(history, dialect)
  return splitTranscript(new Transcript(history, dialect), options) as Split<T>
}

/** As `split`, for a history that was read before. */
export function splitTranscript(transcript: Transcript, { minKeep, maxKeep = Infinity }: SplitOptions): Split<unknown> {
  if (!(minKeep >= 0) || !(maxKeep >= minKeep)) {
    throw new SutureError(
      'bad-option',
      `minKeep must be a number from 0 and maxKeep must not be smaller, but got ${minKeep} and ${maxKeep}.`,
      { minKeep, maxKeep },
    )
  }
  const { history, dialect } = transcript
  const whole = surveyTranscript(transcript)
  const naive = history.length - Math.min(Math.ceil(minKeep), history.length)
  let at = lastUpTo(naive, [...whole.turns, history.length])
  if (history.length - at > maxKeep) at = Math.max(at, lastUpTo(naive, whole.rounds))
  const opens = at === 0 || at === history.length || whole.turns.includes(at)
  const preamble = opens ? [] : [dialect.textMessage('user', CUT)]
  return { at, head: history.slice(0, at), tail: history.slice(at), preamble }
}

/** Where a cut divides nothing. */
export interface Survey {
  /** Before a prompt. The first turn begins with whatever comes before it. */
  readonly turns: readonly number[]
  readonly rounds: readonly number[]
  /** Where replies begin. */
  readonly replies: readonly number[]
}

function surveyOf(history: readonly unknown[], dialect: Dialect): Survey {
  checkHistory(history, dialect)
  return surveyTranscript(new Transcript(history, dialect))
}

function checkHistory(history: unknown, dialect: unknown): void {
  checkValue('A history', history, 'list', 'Pass the array of messages itself.')
  checkValue('The dialect', dialect, isDialect, 'Pass one of `suture/dialects`.')
}

export function surveyTranscript(transcript: Transcript): Survey {
  return transcript.derive(survey, () => survey(transcript))
}

function survey(transcript: Transcript): Survey {
  const { history, dialect, flags } = transcript
  const turnStarts: number[] = []
  const roundStarts: number[] = []
  const replies: number[] = []
  const depth = new Int32Array(history.length + 2)
  let opened = -1
  let lastId: string | undefined
  let lastAssistant = -1
  for (let i = 0; i < history.length; i++) {
    if (transcript.isAssistant(i)) {
      const id = dialect.messageId?.(history[i])
      const same = id !== undefined && id === lastId
      const joins = same || (dialect.items === true && i > 0 && transcript.isAssistant(i - 1))
      if (joins && lastAssistant >= 0) span(depth, lastAssistant, i)
      else {
        roundStarts.push(opened >= 0 ? opened : i)
        replies.push(i)
      }
      lastId = id
      lastAssistant = i
      opened = -1
    } else if ((flags[i]! & HAS_RESULT) === 0 && transcript.role(i) !== 'tool') {
      if (opened < 0) opened = i
      if (transcript.role(i) === 'user') turnStarts.push(i)
    }
  }
  if (opened >= 0) roundStarts.push(opened)
  spanPairs(transcript, depth)
  for (let i = 1; i < depth.length; i++) depth[i]! += depth[i - 1]!
  const isWhole = (at: number) => depth[at] === 0
  return { turns: turnStarts.filter(isWhole), rounds: roundStarts.filter(isWhole), replies }
}

function spanPairs({ pairs, calls }: Transcript, depth: Int32Array): void {
  for (let i = 0; i < calls.length; i++) {
    const result = pairs.results[i]
    if (result) span(depth, calls[i]!.message, result.message)
  }
  for (const { outcome, call, part } of pairs.unmatched)
    if (outcome === 'duplicate') span(depth, calls[call]!.message, part.message)
}

/** No cut between these two messages. */
function span(depth: Int32Array, one: number, other: number): void {
  depth[Math.min(one, other) + 1]!++
  depth[Math.max(one, other) + 1]!--
}

function groupsOf(starts: readonly number[], length: number): [number, number][] {
  if (length === 0) return []
  const from = [0, ...starts.slice(1)]
  return from.map((start, i) => [start, from[i + 1] ?? length])
}

function lastUpTo(place: number, places: readonly number[]): number {
  return places.findLast((one) => one <= place) ?? 0
}
