/**
 * Rules bound to the constraints of one service and model, and one run of them over a transcript.
 * The bound rules are cached: a request of two kilobytes should not pay for looking at seventy rules.
 */
import { type ConstraintBase, type Service, type Severity, severityOf } from './constraint.ts'
import type { Dialect } from './dialect.ts'
import type { Fix } from './fix.ts'
import type { Path } from './json.ts'
import { Part, placeOf } from './part.ts'
import type { About, Bound, PartList, Phase, Report, Rule } from './rule.ts'
import type { Transcript } from './transcript.ts'
import type { WorkLimit } from './work-limit.ts'

/** A rule with one of its constraints. */
export interface BoundRule {
  readonly rule: Rule
  readonly constraint: Bound
  /** Undefined: it is always checked. */
  readonly about: About | undefined
  /** The lists of parts in `about`, as flags. */
  readonly lists: number
  /** That of the rule. Rules differ in shape, and a run reads this of each one. */
  readonly check: Rule['check']
}

export type RulesByPhase = Readonly<Record<Phase, readonly BoundRule[]>>

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
}

interface Cached {
  readonly rules: readonly Rule[]
  readonly bound: RulesByPhase
}

/** By service, then by model and options; model names come from outside, so only so many are kept. */
const loose = new WeakMap<Service, Map<string, Cached>>()
const strict = new WeakMap<Service, Map<string, Cached>>()
const MAX_CACHED = 64

export function bindRules(options: BindOptions): RulesByPhase {
  const { service, model = '', rules, rejectedBy } = options
  const cache = options.strict ? strict : loose
  let known = cache.get(service)
  if (!known) {
    known = new Map()
    cache.set(service, known)
  }
  const key = rejectedBy.length === 0 ? model : `${model}\n${rejectedBy.join()}`
  const entry = known.get(key)
  if (entry?.rules === rules) return entry.bound
  const all = rules.flatMap((rule) => bindRule(rule, options))
  const bound = {
    shape: all.filter(({ rule }) => rule.phase === 'shape'),
    structure: all.filter(({ rule }) => rule.phase === 'structure'),
  }
  if (known.size >= MAX_CACHED) known.clear()
  known.set(key, { rules, bound })
  return bound
}

function bindRule(rule: Rule, { service, model, rejectedBy, strict }: BindOptions): readonly BoundRule[] {
  const stated: readonly ConstraintBase[] = [service.constraints[rule.id] ?? []].flat()
  const rejected = rejectedBy.includes(rule.id)
  if (rule.afterRejection && !rejected) return []
  const bound = new Map<string, BoundRule>()
  for (const one of stated) {
    const severity = severityOf(one, model)
    if (!severity) continue
    const { evidence: _evidence, models: _models, except: _except, ...params } = one
    // Of two constraints with the same parameters the more certain one counts.
    const key = JSON.stringify(params, (_key, value) => (value instanceof RegExp ? String(value) : value))
    if (bound.get(key)?.constraint.severity === 'error') continue
    bound.set(
      key,
      boundTo(rule, { ...params, severity: rejected ? 'error' : severity, rejected, strict }, service.dialect),
    )
  }
  if (bound.size > 0 || !rejected) return [...bound.values()]
  const { evidence: _evidence, models: _models, except: _except, ...params } = stated[0] ?? { evidence: 'inferred' }
  return [boundTo(rule, { ...params, severity: 'error', rejected, strict }, service.dialect)]
}

function boundTo(rule: Rule, constraint: Bound, dialect: Dialect): BoundRule {
  const about = rule.about?.(constraint, dialect)
  const lists = about?.parts?.reduce((flags, list) => flags | LIST[list], 0) ?? 0
  return { rule, constraint, about, lists, check: rule.check }
}

/** A flag for each list of parts. */
const LIST: Readonly<Record<PartList, number>> = {
  calls: 1,
  results: 2,
  texts: 4,
  reasoning: 8,
  media: 16,
  opaque: 32,
  serverParts: 64,
}

/** Flags of the lists that are not empty. */
function listsIn({ calls, results, texts, reasoning, media, opaque, serverParts }: Transcript): number {
  let flags = 0
  if (calls.length > 0) flags |= LIST.calls
  if (results.length > 0) flags |= LIST.results
  if (texts.length > 0) flags |= LIST.texts
  if (reasoning.length > 0) flags |= LIST.reasoning
  if (media.length > 0) flags |= LIST.media
  if (opaque.length > 0) flags |= LIST.opaque
  return serverParts.length > 0 ? flags | LIST.serverParts : flags
}

/** The history may have a key that the rule looks for. */
function mayHaveKeys({ keys, messageKeys }: About, transcript: Transcript): boolean {
  if (messageKeys !== undefined && transcript.keys.mayHaveOnMessage(messageKeys)) return true
  return keys !== undefined && transcript.keys.mayHave(keys)
}

/** Throws if there are more findings than the limit allows. */
export function runRules(rules: readonly BoundRule[], transcript: Transcript, limit: WorkLimit): RawFinding[] {
  const found: RawFinding[] = []
  let current: BoundRule | undefined
  let isFirst = false
  const report: Report = (id, at, data, fix = [], options) => {
    const { rule, constraint } = current!
    const severity = options?.severity ?? constraint.severity
    const harmless = options?.harmless ?? false
    const first = options?.first ?? false
    if (first) isFirst = true
    limit.checkFindings(found.length)
    found.push({ rule, severity, id, at: at instanceof Part ? placeOf(at) : at, data, fix, harmless, first })
  }
  const lists = listsIn(transcript)
  for (let i = 0; i < rules.length; i++) {
    current = rules[i]!
    const { about } = current
    if (about && (current.lists & lists) === 0 && !mayHaveKeys(about, transcript)) continue
    current.check(transcript, current.constraint, report)
    if (isFirst) return found.filter(({ first }) => first)
  }
  return found
}
