/**
 * Rules bound to the constraints of one service and model, and one run of them over a transcript.
 * The bound rules are cached: a request of two kilobytes should not pay for looking at seventy rules.
 */
import { type ConstraintBase, type Service, type Severity, severityOf } from './constraint.ts'
import type { Dialect } from './dialect.ts'
import type { Fix } from './fix.ts'
import type { Path } from './json.ts'
import { KeyFlags } from './key-index.ts'
import { Part, placeOf } from './part.ts'
import type { PassOptions } from './pass.ts'
import type { About, Bound, Phase, Report, Rule } from './rule.ts'
import { OCCURS, type Transcript } from './transcript.ts'
import { type NotKnown, notKnownFor } from './understood.ts'
import type { WorkLimit } from './work-limit.ts'

/** A rule with one of its constraints. */
export interface BoundRule {
  readonly rule: Rule
  readonly constraint: Bound
  /** What it is about, as flags. */
  readonly occurring: number
  readonly keys: number
  readonly messageKeys: number
  /** That of the rule. Rules differ in shape, and a run reads this of each one. */
  readonly check: Rule['check']
}

export interface BoundRules extends Readonly<Record<Phase, readonly BoundRule[]>> {
  /** The keys that the rules look for. */
  readonly keys: KeyFlags
}

export interface BindOptions {
  readonly service: Service
  readonly model: string | undefined
  readonly rules: readonly Rule[]
  /** Rules by which the provider has just rejected. */
  readonly rejectedBy: readonly string[]
  readonly strict: boolean
}

/** A finding before its place and text are worked out for the caller. */
export interface RawFinding {
  readonly rule: Rule
  readonly severity: Severity
  readonly id: string
  readonly at: Path
  readonly data: Readonly<Record<string, unknown>>
  readonly fix: Fix
  readonly harmless: boolean
  /** No other rule was checked. */
  readonly first: boolean
  /** Of an error or a harmless fault: what it relies on and is not known, so that it is only a warning. */
  readonly notKnown?: NotKnown
}

interface Cached {
  readonly rules: readonly Rule[]
  readonly bound: BoundRules
}

/** By service, then by model and options; model names come from outside, so only so many are kept. */
const cache = new WeakMap<Service, Map<string, Cached>>()
const MAX_CACHED = 64

export function bindRules(options: BindOptions): BoundRules {
  const { service, model = '', rules, rejectedBy, strict } = options
  let known = cache.get(service)
  if (!known) {
    known = new Map()
    cache.set(service, known)
  }
  const key = rejectedBy.length === 0 && !strict ? model : `${model}\n${strict}\n${rejectedBy.join()}`
  const entry = known.get(key)
  if (entry?.rules === rules) return entry.bound
  const bound = boundRules(
    rules.flatMap((rule) => bindRule(rule, options)),
    service.dialect,
  )
  if (known.size >= MAX_CACHED) known.clear()
  known.set(key, { rules, bound })
  return bound
}

interface WithConstraint {
  readonly rule: Rule
  readonly constraint: Bound
}

function boundRules(all: readonly WithConstraint[], dialect: Dialect): BoundRules {
  const about = all.map(({ rule, constraint }) => rule.about?.(constraint, dialect))
  const keys = new KeyFlags(about.flatMap((one) => [...(one?.keys ?? []), ...(one?.messageKeys ?? [])]))
  const bound = all.map(({ rule, constraint }, i): BoundRule => {
    const { keys: inMessages = [], messageKeys = [] } = about[i] ?? {}
    return {
      rule,
      constraint,
      occurring: flagsOf(about[i]),
      keys: keys.all(inMessages),
      messageKeys: keys.all(messageKeys),
      check: rule.check,
    }
  })
  return {
    shape: bound.filter(({ rule }) => rule.phase === 'shape'),
    structure: bound.filter(({ rule }) => rule.phase === 'structure'),
    keys,
  }
}

/** What of a transcript a rule is about, as flags of `Transcript.occurring`. */
function flagsOf(about: About | undefined): number {
  if (!about || about.always) return OCCURS.history
  const { parts = [], messages = [], request } = about
  const flags = [...parts, ...messages].reduce((all, one) => all | OCCURS[one], 0)
  return request ? flags | OCCURS.request : flags
}

function bindRule(rule: Rule, { service, model, rejectedBy, strict }: BindOptions): readonly WithConstraint[] {
  const rejected = rejectedBy.includes(rule.id)
  if (rule.afterRejection && !rejected) return []
  const stated: readonly ConstraintBase[] = [service.constraints[rule.id] ?? []].flat()
  const bound = new Map<string, WithConstraint>()
  const bind = (constraint: ConstraintBase, severity: Severity): void => {
    const { evidence: _evidence, models: _models, except: _except, ...params } = constraint
    // Of two constraints with the same parameters the more certain one counts.
    const key = JSON.stringify(params, (_key, value) => (value instanceof RegExp ? String(value) : value))
    if (bound.get(key)?.constraint.severity !== 'error')
      bound.set(key, { rule, constraint: { ...params, severity: rejected ? 'error' : severity, rejected, strict } })
  }
  for (const one of stated) {
    const severity = severityOf(one, model)
    if (severity) bind(one, severity)
  }
  if (bound.size === 0 && rejected) bind(stated[0] ?? { evidence: 'inferred' }, 'error')
  return [...bound.values()]
}

/** Findings that rely on something unknown, as warnings. A rejection proves its finding. */
export function asUnderstood(
  found: readonly RawFinding[],
  t: Transcript,
  { rejectedBy, versions }: Pick<PassOptions, 'rejectedBy' | 'versions'>,
): readonly RawFinding[] {
  return found.map((one) => {
    const isMade = (one.severity === 'error' || one.harmless) && !rejectedBy.includes(one.rule.id)
    const notKnown = isMade ? notKnownFor(one, t, versions) : undefined
    return notKnown ? { ...one, severity: 'warning', notKnown } : one
  })
}

/** Throws if there are more findings than the limit allows. */
export function runRules(rules: readonly BoundRule[], transcript: Transcript, limit: WorkLimit): RawFinding[] {
  const found: RawFinding[] = []
  let current: BoundRule | undefined
  let isFirst = false
  const report: Report = (id, at, data, fix = [], options) => {
    const { rule, constraint } = current!
    const isAssumed = constraint.assumed?.includes(id) && !constraint.rejected
    const notKnown = options?.notKnown === undefined ? undefined : { what: options.notKnown, decides: true }
    const severity = options?.severity ?? (isAssumed || notKnown ? 'warning' : constraint.severity)
    const harmless = options?.harmless ?? false
    const first = options?.first ?? false
    if (first) isFirst = true
    limit.checkFindings(found.length)
    found.push({
      rule,
      severity,
      id,
      at: at instanceof Part ? placeOf(at) : at,
      data,
      fix,
      harmless,
      first,
      ...(notKnown ? { notKnown } : {}),
    })
  }
  const { keys, occurring } = transcript
  for (let i = 0; i < rules.length; i++) {
    current = rules[i]!
    const flags =
      (current.occurring & occurring) | (current.keys & keys.anywhere) | (current.messageKeys & keys.onMessages)
    if (flags === 0) continue
    current.check(transcript, current.constraint, report)
    if (isFirst) return found.filter(({ first }) => first)
  }
  return found
}
