/**
 * Repairs the history more strictly: first what the rejection names, then what is only assumed, then what any provider
 * of this dialect requires.
 */
import { jsonText, type Service, valueAt } from '../../core/index.ts'
import { strictest } from '../../providers/index.ts'
import type { RuleId } from '../../rules/index.ts'
import { rememberRepair } from './accepted-repairs.ts'
import { repairStrictly, type Stricter } from './stricter-repair.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const repairStricter: Recovery = { id: 'repair', maxTimes: 3, try: attemptRepair }

function attemptRepair(attempt: Attempt): Recovered | undefined {
  const { rule, ids } = attempt.rejection
  let first: Recovered | undefined
  for (const mode of modes(attempt)) {
    const { body, rules, edits, fields } = repairStrictly(attempt, mode)
    if (body === attempt.body || !isNamed(attempt, body)) continue
    const named = fields.length > 0 ? { fields } : {}
    const report = { rule, ids, rules, edits, strict: mode.strict === true, ...named }
    const recovered: Recovered = { id: 'repair', body, report, accepted: rememberRepair(attempt, mode) }
    // A repair that does not touch the id in the error is probably not the one that is needed.
    if (touches(attempt, body)) return recovered
    first ??= recovered
  }
  return first
}

/** A rejection that names a place and no rule: only a repair of that message counts. */
function isNamed({ rejection: { rule, message }, body: was, service }: Attempt, now: Attempt['body']): boolean {
  if (rule !== undefined || message === undefined) return true
  const at = [service.dialect.key, message]
  return valueAt(was, at) !== valueAt(now, at)
}

const UNKNOWN_FIELD: RuleId = 'unknown-field'

function* modes({ rejection, service }: Attempt): Generator<Stricter> {
  const rejectedBy = rejection.rule === undefined ? [] : [rejection.rule]
  const named = rejection.fields && { rejectedBy: [], fields: rejection.fields }
  // A field that the provider names is removed, and no other that is unknown to us.
  if (named && rejection.rule === UNKNOWN_FIELD) yield named
  yield { rejectedBy }
  yield { rejectedBy, strict: true }
  // Reasoning and unknown ids have recoveries of their own; the constraints of other providers do not help there.
  if (rejection.kind === 'history') yield { rejectedBy, strict: true, service: everyones(service) }
  if (named && rejection.rule !== UNKNOWN_FIELD) yield named
}

/** The constraints of all providers of the dialect, for a relay whose own are not known. */
function everyones({ dialect, constraints }: Service): Service {
  const others = strictest(dialect)
  return { dialect, constraints: { ...others.constraints, ...lifted(constraints) } }
}

/** Constraints that the provider removes stay removed. */
function lifted(constraints: Service['constraints']): Service['constraints'] {
  return Object.fromEntries(Object.entries(constraints).filter(([, stated]) => stated === null))
}

/** Whether a changed message names an id of the rejection. If there is none, any change counts. */
function touches({ body: was, rejection, service }: Attempt, now: Attempt['body']): boolean {
  const [before, after] = [valueAt(was, [service.dialect.key]), valueAt(now, [service.dialect.key])]
  if (rejection.ids.length === 0 || !Array.isArray(before) || !Array.isArray(after) || before === after) return true
  const text = jsonText(before)!
  const ids = rejection.ids.filter((id) => text.includes(JSON.stringify(id)))
  if (ids.length === 0) return true
  const [old, fresh] = [new Set(before), new Set(after)]
  const changed = [...before.filter((one) => !fresh.has(one)), ...after.filter((one) => !old.has(one))]
  return changed.some((message) => ids.some((id) => (jsonText(message) ?? '').includes(JSON.stringify(id))))
}
