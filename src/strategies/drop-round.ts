/**
 * Removes one round from a history: the reply and the results of its calls. The prompt of the round stays, and so do
 * user and system messages inside it. The rest is repaired for its target.
 */

import {
  type Dialect,
  type Group,
  isObject,
  type MessageOf,
  type Patch,
  repair,
  rounds,
  SutureError,
  type Target,
  Transcript,
} from '../core/index.ts'
import type { RuleId } from '../rules/index.ts'
import { repairShortened } from './repair-shortened.ts'

/** A round by its name (`turn 12, round 3`) or by its numbers, as `rounds` gives them. */
export type RoundRef = string | { readonly turn: number; readonly round?: number }

/** The history without the round. */
export interface RoundDropped<T> {
  /** The same value if the round has no reply yet. */
  readonly history: T
  /** `invert(patch)` restores the round. */
  readonly patch: Patch
  readonly round: Group
  /** The removed messages. */
  readonly dropped: readonly MessageOf<T>[]
}

/** `instead`: messages that replace the reply. */
export function dropRound<T>(
  input: T,
  which: RoundRef,
  target: Target,
  instead: readonly unknown[] = [],
): RoundDropped<T> {
  const { dialect } = target.service
  const body = Array.isArray(input) ? undefined : (input as Readonly<Record<string, unknown>>)
  const list = listIn(input, dialect.key)
  const round = roundOf(rounds(list, dialect), which)
  const reply = round.reply ?? round.end
  if (reply === round.end) return { history: input, patch: [], round, dropped: [] }
  const inside = list.slice(reply, round.end)
  const kept = keptOf(inside, target)
  const left = [...list.slice(0, reply), ...instead, ...kept, ...list.slice(round.end)]
  const model = target.model ?? (typeof body?.['model'] === 'string' ? body['model'] : undefined)
  const { input: history, patch } = repairShortened({ target: { ...target, model }, list, body }, left)
  const stays = new Set(kept)
  return {
    history: history as T,
    patch,
    round,
    dropped: inside.filter((message) => !stays.has(message)) as MessageOf<T>[],
  }
}

function listIn(input: unknown, key: string): readonly unknown[] {
  const list = Array.isArray(input) ? input : isObject(input) ? input[key] : undefined
  if (Array.isArray(list)) return list
  throw new SutureError(
    'not-a-history',
    `Expected a list of messages or a request body with a list under "${key}". Pass the array itself, or name the dialect it is in.`,
  )
}

function roundOf(all: readonly Group[], which: RoundRef): Group {
  const found = all.find(({ name, turn, round }) =>
    typeof which === 'string' ? name === which : isObject(which) && turn === which.turn && round === which.round,
  )
  if (found) return found
  const wanted = typeof which === 'string' ? `"${which}"` : `turn ${which?.turn}, round ${which?.round}`
  const last = all.at(-1)?.name
  const known =
    last === undefined ? 'The history is empty.' : `The last one is "${last}". Take one from \`rounds(history)\`.`
  throw new SutureError('bad-option', `There is no round ${wanted}. ${known}`, { round: which })
}

/** Messages inside a round that are not part of it: prompts, system messages, and the text next to a result. */
function keptOf(inside: readonly unknown[], target: Target): readonly unknown[] {
  const { dialect } = target.service
  const transcript = new Transcript(inside, dialect)
  return inside.flatMap((message, i) => {
    const parts = transcript.partsOf(i)
    const role = transcript.role(i)
    if (role === 'assistant') return []
    const results = parts.filter(({ kind }) => kind === 'result').length
    if (results === 0) return role === 'tool' ? [] : [message]
    return results === parts.length ? [] : withoutResults(message, dialect, target)
  })
}

const ORPHAN: RuleId = 'tool-result-orphan'

function withoutResults(message: unknown, dialect: Dialect, { rules }: Target): readonly unknown[] {
  const service = { dialect, constraints: { [ORPHAN]: { evidence: 'documented' as const } } }
  const only = rules.filter(({ id }) => id === ORPHAN)
  return repair([message], { service, rules: only, policy: { orphan: 'drop' } }).value
}
