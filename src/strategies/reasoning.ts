/**
 * Removes the reasoning of finished turns, unless the provider requires it back.
 * All reasoning before the last prompt is removed; that of the current turn stays.
 */

import {
  HAS_REASONING,
  isObject,
  own,
  type Part,
  type Service,
  severityOf,
  Transcript,
  withKey,
} from '../core/index.ts'
import type { RuleId } from '../rules/index.ts'
import { replaceParts } from './edit-parts.ts'

export const BOUND: RuleId = 'thinking-bound-to-other-prefix'
const REQUIRED: RuleId = 'reasoning-content-missing'

/** Whether the rule has a constraint that applies, or may apply, to the model. */
export function inForce(service: Service, rule: RuleId, model: string | undefined): boolean {
  const stated = service.constraints[rule]
  if (stated === undefined || stated === null) return false
  return [stated].flat().some((one) => severityOf(one, model) !== undefined)
}

/** Signatures cover everything before them: a change invalidates all later reasoning. */
export function isBound(service: Service, model: string | undefined): boolean {
  return inForce(service, BOUND, model)
}

/** Without the reasoning of messages [from, before); the same list if there is none, or it is required. */
export function dropReasoning(
  history: readonly unknown[],
  service: Service,
  model: string | undefined,
  before: number,
  from = 0,
): readonly unknown[] {
  if (inForce(service, REQUIRED, model)) return history
  const { dialect } = service
  const transcript = new Transcript(history.slice(0, before), dialect)
  const changes = new Map<Part, unknown>()
  const released = new Set<number>()
  const referenced = dialect.items ? referencesFrom(transcript) : []
  let done = 0
  for (let i = from; i < before; i++) {
    // A signed Gemini thought stays: it may hold the only signature of a call.
    const gone = transcript
      .partsOf(i)
      .filter((part) => part.kind === 'reasoning' && !(part.type === 'thought' && part.signature !== undefined))
    if (gone.length === 0) continue
    if (referenced[i]) continue
    if (dialect.items) done = releaseAnswer(i, done, transcript, released)
    for (const part of gone) changes.set(part, undefined)
  }
  if (changes.size === 0) return history
  const freed = history.map((item, i) => (released.has(i) ? withoutId(item) : item))
  return replaceParts(freed, changes, dialect)
}

/** For each item whether it or a later one of its answer is a reference. */
function referencesFrom(transcript: Transcript): readonly boolean[] {
  const { length } = transcript.history
  const found: boolean[] = new Array(length).fill(false)
  for (const { type, message } of transcript.parts) if (type === 'item_reference') found[message] = true
  for (let i = length - 2; i >= 0; i--) if (transcript.isAssistant(i + 1) && found[i + 1]) found[i] = true
  return found
}

/**
 * Later items of the same answer lose their ids, by which the provider would look for the removed reasoning. Items
 * before `done` have lost them. Returns the end of the answer.
 */
function releaseAnswer(at: number, done: number, transcript: Transcript, released: Set<number>): number {
  let i = Math.max(at + 1, done)
  for (; i < transcript.history.length && transcript.isAssistant(i); i++)
    if ((transcript.flags[i]! & HAS_REASONING) === 0) released.add(i)
  return i
}

function withoutId(item: unknown): unknown {
  return isObject(item) && own(item, 'id') !== undefined ? withKey(item, 'id', undefined) : item
}
