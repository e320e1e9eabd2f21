/**
 * Opt-in: if one round is most of the excess (a very large reply, a huge batch of results), that round is removed
 * instead of the oldest ones. Its prompt stays, and a note replaces the reply: with a summary, or with a digest that
 * needs no model.
 */
import { type Group, rounds, roundsOf } from '../../core/index.ts'
import { rules } from '../../rules/index.ts'
import { digest } from '../../strategies/digest.ts'
import { dropRound as without } from '../../strategies/drop-round.ts'
import { byBytes, hashOf } from '../../strategies/shrink.ts'
import { beginningOf } from './cut-history.ts'
import { historyOf, rebindReasoning, transcriptOf } from './stricter-repair.ts'
import { tokensOf, tokensOfRequest, tokensToRemove } from './token-budget.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const dropRound: Recovery = { id: 'drop-round', maxTimes: 2, try: drop }

/** A round counts as large if it has this many times the average of the others. */
const OUTLIER = 4
const DIGEST = 200

/** The round that is most of the excess, if there is one. */
export function heaviest(attempt: Attempt, need: number): Group | undefined {
  const history = historyOf(attempt)
  const groups = roundsOf(transcriptOf(attempt))
  const sizes = groups.map(({ reply = 0, end }) => tokensOf(history.slice(reply, end), attempt.options))
  const most = sizes.reduce((one, other) => Math.max(one, other), 0)
  const others = sizes.reduce((sum, size) => sum + size, 0) - most
  const average = others / Math.max(1, sizes.length - 1)
  return most >= need / 2 && most >= OUTLIER * average && most > 0 ? groups[sizes.indexOf(most)] : undefined
}

async function drop(attempt: Attempt): Promise<Recovered | undefined> {
  const { options, memory } = attempt
  if (options.dropRounds !== true && !options.summarize) return undefined
  const need = tokensToRemove(attempt, 'drop-round')
  const round = heaviest(attempt, need)
  const note = round && (await noteOf(attempt, round))
  if (!round || note === undefined) return undefined
  const inside = historyOf(attempt).slice(round.reply, round.end)
  const decision: Decision = { hash: hashOf(inside), count: inside.length, note }
  const body = dropped(attempt, round, note)
  const saved = tokensOfRequest(attempt) - tokensOfRequest({ ...attempt, body })
  // Almost nothing would be saved: the request would be rejected again.
  if (saved < need / 100) return undefined
  const key = beginningOf('round', attempt)
  const accepted = () => memory.keep(key, [...known(memory.note(key)), decision])
  const report = { round: round.name, dropped: inside.length, saved, need }
  return { id: 'drop-round', ...rebindReasoning({ ...attempt, body }), report, accepted }
}

/** Undefined: the round may only be replaced by a summary, and there is none. */
async function noteOf(attempt: Attempt, round: Group): Promise<string | undefined> {
  const { options, provider, model, service } = attempt
  const { dialect } = service
  const { estimate = byBytes } = options
  const inside = historyOf(attempt).slice(round.reply, round.end)
  const about = { provider, model, dialect: dialect.id }
  const written = options.summarize ? await summaryOf(() => options.summarize!(inside, about)) : undefined
  const shorter = written !== undefined && estimate(written) < tokensOf(inside, options)
  if (!shorter && options.dropRounds !== true) return undefined
  const text = shorter ? written : digest(inside, { dialect, estimate, prior: '', maxTokens: DIGEST })
  return `(The reply to this was too large for the request and is not shown: ${inside.length} messages.${text === '' ? '' : ` In short:\n${text}`})`
}

async function summaryOf(write: () => string | Promise<string>): Promise<string | undefined> {
  try {
    const text: unknown = await write()
    return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined
  } catch {
    return undefined
  }
}

type Place = Pick<Attempt, 'body' | 'service' | 'model' | 'memory' | 'options'>

function dropped({ body, service, model, options }: Place, round: Group, note: string): Attempt['body'] {
  const target = { service, rules, model, policy: options.policy }
  return without(body, round, target, [service.dialect.textMessage('user', note)]).history
}

/** A round that was dropped from an earlier request of the conversation, and the note that replaced it. */
interface Decision {
  readonly hash: string
  readonly count: number
  readonly note: string
}

function known(note: unknown): readonly Decision[] {
  return Array.isArray(note) ? note : []
}

/** Drops the rounds again that were dropped from earlier requests of this conversation. */
export function reapplyDrops(place: Place): { readonly body: Attempt['body']; readonly rounds: readonly string[] } {
  let { body } = place
  const names: string[] = []
  for (const { hash, count, note } of known(place.memory.note(beginningOf('round', place)))) {
    const history = historyOf({ ...place, body })
    const isIt = ({ reply = 0, end }: Group) => end - reply === count && hashOf(history.slice(reply, end)) === hash
    const round = rounds(history, place.service.dialect).find(isIt)
    if (!round) continue
    names.push(round.name)
    body = dropped({ ...place, body }, round, note)
  }
  return { body, rounds: names }
}
