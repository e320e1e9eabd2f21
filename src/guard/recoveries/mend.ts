/**
 * What recoveries share about mending: the repair of core, told what was refused, and the setting that goes with bound reasoning.
 */
import {
  type Constraint,
  repair,
  type Service,
  severityOf,
  valueAt,
  withKey,
  withValueAt,
} from '../../core/index.ts'
import { rules } from '../../rules/index.ts'
import type { Attempt } from './types.ts'

type Body = Attempt['body']
type Asked = Pick<Attempt, 'body' | 'service' | 'model'> & { readonly options?: Attempt['options'] }

export interface Stricter {
  readonly refused: readonly string[]
  readonly strict?: boolean
  /** Other laws than the provider's own. */
  readonly service?: Service
}

export interface Mended {
  readonly body: Body
  /** How often each rule mended something. */
  readonly rules: Readonly<Record<string, number>>
  readonly edits: number
}

/** The body as repair leaves it; the very same where there is nothing to mend. */
export function mend({ body, service, model, options }: Asked, { refused, strict, service: other }: Stricter): Mended {
  const target = { service: other ?? service, rules, model, strict, rejectedBy: refused, policy: options?.policy }
  const { value, patch, findings } = repair(body, target)
  const counts: Record<string, number> = {}
  for (const { rule, severity } of findings) if (severity === 'error' || strict) counts[rule] = (counts[rule] ?? 0) + 1
  return { body: value, rules: counts, edits: patch.length }
}

export function historyOf({ body, service }: Pick<Attempt, 'body' | 'service'>): readonly unknown[] {
  const history = body[service.dialect.key]
  return Array.isArray(history) ? history : []
}

const BOUND = 'thinking-bound-to-other-prefix'

/** The law that binds signatures to what stands before them, where it holds for this model. */
export function bindingLaw({ service, model }: Pick<Attempt, 'service' | 'model'>): Constraint | undefined {
  const stated = service.constraints[BOUND]
  const laws = stated ? ([stated].flat() as Constraint[]) : []
  return laws.find((law) => severityOf(law, model) === 'error')
}

export interface Bound {
  readonly body: Body
  readonly headers?: Attempt['headers']
}

/**
 * After an edit before signed reasoning on a model that checks it: the provider is told to drop what no longer fits, or the reasoning goes.
 * Where nothing is bound, the body as it is.
 */
export function bound(attempt: Asked & Pick<Attempt, 'headers' | 'provider'>): Bound {
  const law = bindingLaw(attempt)
  if (!law) return { body: attempt.body }
  return withHeader(attempt, mend(attempt, { refused: [BOUND] }).body, law)
}

/** The setting needs its beta named: in a header, or in the body where requests to the service have it there. */
export function withHeader({ headers, provider }: Pick<Attempt, 'headers' | 'provider'>, body: Body, law: Constraint): Bound {
  const dropping = droppingOf(law)
  const path = dropping?.setting
  const beta = law['header']
  const setting = dropping ? valueAt(body, [...dropping.setting, ...dropping.path]) : undefined
  if (!path || typeof beta !== 'string' || setting !== dropping.drop) return { body }
  if (provider === 'bedrock') return { body: withBeta(body, [...path.slice(0, -1), 'anthropic_beta'], beta) }
  const key = Object.keys(headers).find((name) => name.toLowerCase() === 'anthropic-beta') ?? 'anthropic-beta'
  const named = (headers[key] ?? '').split(',').map((one) => one.trim())
  if (named.includes(beta)) return { body }
  return { body, headers: { ...headers, [key]: [...named.filter((one) => one !== ''), beta].join(',') } }
}

function withBeta(body: Body, path: readonly string[], beta: string): Body {
  const named = valueAt(body, path)
  const list = Array.isArray(named) ? named : []
  return list.includes(beta) ? body : withValueAt(body, path, [...list, beta])
}

interface Dropping {
  readonly setting: readonly string[]
  readonly path: readonly string[]
  readonly drop: string
  readonly fail: string
}

function droppingOf(constraint: Constraint): Dropping | undefined {
  return constraint['dropping'] as Dropping | undefined
}

/** The caller asked to be refused rather than lose a block. */
export function wantsError({ body, service }: Pick<Attempt, 'body' | 'service'>): boolean {
  const laws = [service.constraints[BOUND] ?? []].flat() as Constraint[]
  const dropping = laws.map(droppingOf).find((one) => one !== undefined)
  return dropping !== undefined && valueAt(body, [...dropping.setting, ...dropping.path]) === dropping.fail
}

/** The body with another history. */
export function withHistory({ body, service }: Pick<Attempt, 'body' | 'service'>, history: readonly unknown[]): Body {
  return history === body[service.dialect.key] ? body : withKey(body, service.dialect.key, history)
}
