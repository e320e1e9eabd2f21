/**
 * Mends the history in a stricter mode: first what the refusal names, then what is only assumed, then what any provider of this dialect asks for.
 */
import { type Service, valueAt } from '../../core/index.ts'
import { strictest } from '../../providers/index.ts'
import { type Mended, mend, type Stricter } from './mend.ts'
import { remembering } from './notes.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const repairStricter: Recovery = { id: 'repair', most: 3, try: attemptRepair }

function attemptRepair(attempt: Attempt): Recovered | undefined {
  let changed: [Mended, Stricter] | undefined
  for (const mode of modes(attempt)) {
    const mended = mend(attempt, mode)
    if (mended.body === attempt.body) continue
    changed ??= [mended, mode]
    // A mend that leaves alone what the provider names by its id is not the one it asks for.
    if (!touches(attempt, mended.body)) continue
    changed = [mended, mode]
    break
  }
  if (!changed) return undefined
  const [{ body, rules, edits }, mode] = changed
  const report = { rule: attempt.refusal.rule, ids: attempt.refusal.ids, rules, edits, strict: mode.strict === true }
  return { id: 'repair', body, report, accepted: remembering(attempt, mode) }
}

function* modes({ refusal, service }: Attempt): Generator<Stricter> {
  const refused = refusal.rule === undefined ? [] : [refusal.rule]
  yield { refused }
  yield { refused, strict: true }
  // Reasoning and ids that nobody knows have recoveries of their own; what others ask for does not help there.
  if (refusal.kind === 'history') yield { refused, strict: true, service: everyones(service) }
}

/** Laws of all who speak the dialect, for a relay whose own are not known. */
function everyones({ dialect, constraints }: Service): Service {
  const others = strictest(dialect)
  return { dialect, constraints: { ...others.constraints, ...lifted(constraints) } }
}

/** What the provider lifts stays lifted. */
function lifted(constraints: Service['constraints']): Service['constraints'] {
  return Object.fromEntries(Object.entries(constraints).filter(([, stated]) => stated === null))
}

/** Whether something that changed names one of the ids that the refusal names. None named, or none of them in the history: any change will do. */
function touches({ body: was, refusal, service }: Attempt, now: Attempt['body']): boolean {
  const [before, after] = [valueAt(was, [service.dialect.key]), valueAt(now, [service.dialect.key])]
  if (refusal.ids.length === 0 || !Array.isArray(before) || !Array.isArray(after) || before === after) return true
  const text = JSON.stringify(before)
  const ids = refusal.ids.filter((id) => text.includes(JSON.stringify(id)))
  if (ids.length === 0) return true
  const [old, fresh] = [new Set(before), new Set(after)]
  const changed = [...before.filter((one) => !fresh.has(one)), ...after.filter((one) => !old.has(one))]
  return changed.some((message) => ids.some((id) => (JSON.stringify(message) ?? '').includes(JSON.stringify(id))))
}
