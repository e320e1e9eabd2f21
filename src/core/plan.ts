/**
 * Rules bound to the laws of one provider, dialect and model, sorted by what they look at.
 * Built once and kept: a request of two kilobytes should not pay for looking at seventy rules.
 */
import type { Dialect } from './dialect.ts'
import type { Policy } from './found.ts'
import type { JsonObject } from './json.ts'
import { type Law, type Service, severityOf } from './law.ts'
import { type Quiets, quietsOf } from './look.ts'
import type { PartKind } from './part.ts'
import type { Bound, Checks, Rule } from './rule.ts'
import type { Walk } from './walk.ts'

interface Entry<K extends keyof Checks> {
  readonly check: Required<Checks>[K]
  readonly bound: Bound
}

export type Plan = { readonly odd: readonly Entry<'message'>[] } & {
  readonly [K in keyof Required<Checks>]: readonly Entry<K>[]
} & {
  readonly dialect: Dialect
  readonly model: string | undefined
  /** The laws in force, by rule id: a rule may have to ask what another one wants. */
  readonly bounds: ReadonlyMap<string, readonly Bound[]>
  /** By which plain messages are told apart, by default and in the strict mode. */
  readonly loose: Quiets | undefined
  readonly strict: Quiets | undefined
}

export interface PlanOptions {
  readonly service: Service
  readonly model: string | undefined
  readonly rules: readonly Rule[]
  /** Rules by which the provider has just refused. */
  readonly refused: readonly string[]
}

/** What is walked, and how. */
export interface WalkOptions {
  readonly history: readonly unknown[]
  readonly body: JsonObject | undefined
  readonly plan: Plan
  readonly sending: boolean
  /** Warnings are mended too. */
  readonly strict: boolean
  readonly policy: Policy
  /** The walk over this history before it was mended. */
  readonly earlier?: Walk | undefined
}

const kinds = [
  'text',
  'call',
  'result',
  'reasoning',
  'media',
  'opaque',
  'message',
  'unanswered',
  'stray',
  'junction',
  'end',
  'edited',
] as const satisfies readonly (keyof Checks)[]

/** Plans by service; a model's name comes from outside, so only so many are kept for each. */
type Plans = WeakMap<Service, Map<string, { rules: readonly Rule[]; plan: Plan }>>
const kept: Plans = new WeakMap()
/** The same for those by which a provider has just refused: of these the key is put together. */
const keptRefused: Plans = new WeakMap()
const MOST = 64

export function planFor(options: PlanOptions): Plan {
  const { service, model, rules, refused } = options
  const all = refused.length === 0 ? kept : keptRefused
  let plans = all.get(service)
  if (!plans) {
    plans = new Map()
    all.set(service, plans)
  }
  const key = refused.length === 0 ? (model ?? '') : `${model ?? ''}\n${refused.join()}`
  const known = plans.get(key)
  if (known?.rules === rules) return known.plan
  const plan = makePlan(options)
  if (plans.size >= MOST) plans.clear()
  plans.set(key, { rules, plan })
  return plan
}

function makePlan(options: PlanOptions): Plan {
  const plan: Record<string, unknown[]> = {}
  const bounds = new Map<string, readonly Bound[]>()
  for (const kind of [...kinds, 'odd']) plan[kind] = []
  for (const rule of options.rules) {
    const bound = bind(rule, options)
    if (bound.length > 0) bounds.set(rule.id, bound)
    for (const kind of kinds) {
      const check = rule.checks[kind]
      const list = kind === 'message' && rule.odd ? 'odd' : kind
      if (check) for (const one of bound) plan[list]!.push({ check, bound: one })
    }
  }
  const all = [...bounds.values()].flat()
  const quiets = { loose: quietsOf(all, false), strict: quietsOf(all, true) }
  return { ...plan, ...quiets, dialect: options.service.dialect, model: options.model, bounds } as unknown as Plan
}

function bind(rule: Rule, { service, model, refused }: PlanOptions): readonly Bound[] {
  const laws: readonly Law[] = [service.laws[rule.id] ?? []].flat()
  const wasRefused = refused.includes(rule.id)
  const bound = new Map<string, Bound>()
  for (const law of laws) {
    const known = severityOf(law, model)
    if (!known) continue
    const severity = wasRefused ? 'error' : known
    // Of two laws that say the same the surer one speaks: one provider, one fact, one finding.
    const facts = factsOf(law)
    if (bound.get(facts)?.severity !== 'error') bound.set(facts, { rule, law, severity, refused: wasRefused })
  }
  if (bound.size === 0 && wasRefused)
    return [{ rule, law: laws[0] ?? { evidence: 'S' }, severity: 'error', refused: true }]
  return [...bound.values()]
}

function factsOf({ evidence: _evidence, models: _models, except: _except, ...facts }: Law): string {
  return JSON.stringify(facts, (_key, value) => (value instanceof RegExp ? String(value) : value))
}

/** The checks of a kind of part. Spelled out: a look-up by a key that varies costs more than most checks do. */
export function checksOf(plan: Plan, kind: PartKind): readonly Entry<PartKind>[] {
  if (kind === 'text') return plan.text
  if (kind === 'call') return plan.call
  if (kind === 'result') return plan.result
  if (kind === 'reasoning') return plan.reasoning
  return kind === 'media' ? plan.media : plan.opaque
}
