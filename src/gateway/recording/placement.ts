/**
 * Decides where a recorded history continues. The client's request is the truth about its conversation: what differs
 * from the line is a revision of it. A branch is made when two lines go on side by side: a line that was left comes back
 * although the other one has gone on. A history that shares nothing gets a line of its own.
 */
import { Transcript } from '../../core/index.ts'
import type { Fit } from './fit.ts'
import { isReply, type Line } from './line.ts'
import { ownWordsAt, textAt } from './message-content.ts'
import type { Sent } from './revision.ts'
import { type AgentTraits, areAlike, isSimilar } from './turn-settings.ts'

export type Decision =
  /** The history is the next version of this line. `leave`: what the line has now goes on in a branch first. */
  | { readonly kind: 'revise'; readonly fit: Fit; readonly leave?: boolean }
  /** The history goes on beside this line, and shares messages with it. */
  | { readonly kind: 'branch'; readonly fit: Fit }
  /** The history shares nothing with any line. */
  | { readonly kind: 'aside' }

export interface Circumstances {
  readonly sent: Sent
  readonly traits: AgentTraits
  traitsOf(line: Line): Promise<AgentTraits>
  /** The line was changed while the request was answered: what it does not have goes on beside it. */
  readonly isLate: boolean
}

/** `fits`: the session first, then its branches. */
export async function decide(fits: readonly Fit[], given: Circumstances): Promise<Decision> {
  const best = bestOf(fits)
  const returning = returningIn(fits, best?.anchor ?? -1)
  if (returning) return goBack(returning, given)
  if (best && best.anchor >= 0) return revised(best, given)
  const fresh = fits.find(({ line }) => !line.isAside && line.replies === 0)
  if (fresh && (fresh.line.messages.length === 0 || (await isSameStart(fresh, given)))) return revised(fresh, given)
  for (const fit of fits) if (await isSameStart(fit, given)) return revised(fit, given)
  const [nearest] = fits.toSorted((a, b) => b.shared - a.shared)
  return nearest && nearest.shared > 0 ? { kind: 'branch', fit: nearest } : { kind: 'aside' }
}

/** The line whose reply is the latest in the history; of several the one that has most of it, and least besides. */
function bestOf(fits: readonly Fit[]): Fit | undefined {
  const [best] = fits.toSorted((a, b) => b.anchor - a.anchor || b.shared - a.shared || a.dropped - b.dropped)
  return best
}

/** The history has a later reply that left a line. */
function returningIn(fits: readonly Fit[], anchor: number): Fit | undefined {
  let found: Fit | undefined
  for (const fit of fits) {
    const { index = -1 } = fit.returning ?? {}
    if (index > Math.max(anchor, found?.returning?.index ?? -1)) found = fit
  }
  return found
}

/** Of two versions the older one is the conversation: a single reply in its place was a side request. */
function goBack(fit: Fit, { isLate }: Circumstances): Decision {
  const { line, dropped, anchor, pairs, returning } = fit
  const current = line.messages[anchor < 0 ? 0 : pairs[anchor]! + 1]?.seq ?? Number.POSITIVE_INFINITY
  if (dropped === 0) return { kind: 'revise', fit }
  if (isLate || returning!.first > firstDropped(fit, current)) return { kind: 'branch', fit }
  return { kind: 'revise', fit, leave: dropped > 1 }
}

/** The position of the first message that the line has and the history does not, after their last common one. */
function firstDropped({ line, pairs, anchor }: Fit, otherwise: number): number {
  const common = new Set(pairs)
  const from = anchor < 0 ? 0 : pairs[anchor]! + 1
  const at = line.messages.findIndex((one, i) => i >= from && !common.has(i) && one.kind !== 'system')
  return at < 0 ? otherwise : line.messages[at]!.seq
}

function revised(fit: Fit, { isLate }: Circumstances): Decision {
  return { kind: isLate && fit.dropped > 0 ? 'branch' : 'revise', fit }
}

/** Without a reply that both have, it is the same conversation if its agent and what it begins with are the same. */
async function isSameStart(fit: Fit, { sent, traits, traitsOf }: Circumstances): Promise<boolean> {
  const { line } = fit
  if (line.isAside && fit.shared === 0) return false
  const last = line.messages.findLast(isReply)
  if (fit.shared === 0 && !isSummaryOf(last?.message, line, sent) && !hasSimilarPrompt(line, sent)) return false
  return areAlike(traits, await traitsOf(line))
}

/** A shorter text is in many others. */
const TELLING = 40

/** A compaction: the history goes on from a text that was the last reply. */
function isSummaryOf(reply: unknown, line: Line, { transcript }: Sent): boolean {
  if (reply === undefined) return false
  const [last] = textsOf([reply], line)
  if (last === undefined || last.length < TELLING) return false
  return transcript.history.some((_, i) => textAt(transcript, i).includes(last))
}

function textsOf(messages: readonly unknown[], { session }: Line): readonly string[] {
  const transcript = new Transcript(messages, session.wiring.service.dialect)
  return messages.map((_, i) => textAt(transcript, i).trim())
}

/** The first prompts are versions of one another. */
function hasSimilarPrompt({ messages, session }: Line, { transcript }: Sent): boolean {
  const own = new Transcript(
    messages.slice(0, FIRST).map(({ message }) => message),
    session.wiring.service.dialect,
  )
  const [one, other] = [firstWords(own), firstWords(transcript)]
  return one !== '' && other !== '' && isSimilar(one, other)
}

/** Messages among which the first prompt is. */
const FIRST = 16

function firstWords(transcript: Transcript): string {
  for (let i = 0; i < Math.min(FIRST, transcript.history.length); i++) {
    const words = transcript.isAssistant(i) ? '' : ownWordsAt(transcript, i)
    if (words !== '') return words
  }
  return ''
}
