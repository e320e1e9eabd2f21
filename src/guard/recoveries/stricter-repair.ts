/** Repair after a rejection, shared by recoveries; and the setting for reasoning that is bound to its prefix. */
import { type Constraint, repair, type Service, severityOf, Transcript, valueAt, withKey } from '../../core/index.ts'
import { withBeta } from '../../dialects/anthropic-messages/beta.ts'
import { type RuleId, rules } from '../../rules/index.ts'
import type { FieldPath } from '../rejections/unknown-fields.ts'
import { removeFields } from './remove-fields.ts'
import type { Attempt } from './types.ts'

type Body = Attempt['body']
type Place = Pick<Attempt, 'body' | 'service' | 'model'> & { readonly options?: Attempt['options'] }

export interface Stricter {
  readonly rejectedBy: readonly string[]
  readonly strict?: boolean
  /** Fields that the provider rejected by name: they are removed first. */
  readonly fields?: readonly FieldPath[]
  /** Other constraints than the provider's own. */
  readonly service?: Service
}

export interface StricterResult {
  readonly body: Body
  /** How often each rule fixed something. */
  readonly rules: Readonly<Record<string, number>>
  readonly edits: number
  /** Names of fields that were removed because the provider rejected them by name. */
  readonly fields: readonly string[]
}

/** The repaired body; the same object if there is nothing to repair. */
export function repairStrictly(
  place: Place,
  { rejectedBy, strict, service: other, fields: named = [] }: Stricter,
  uninvited?: () => readonly string[],
): StricterResult {
  const { service, model, options } = place
  const { history: kept, fields } = removeFields(historyOf(place), named)
  const body = fields.length > 0 ? withHistory(place, kept) : place.body
  const target = { service: other ?? service, rules, model, strict, rejectedBy, policy: options?.policy, uninvited }
  const { value, patch, findings } = repair(body, target)
  const counts: Record<string, number> = {}
  for (const { rule, severity } of findings) if (severity === 'error' || strict) counts[rule] = (counts[rule] ?? 0) + 1
  return { body: value, rules: counts, edits: patch.length + fields.length, fields }
}

export function historyOf({ body, service }: Pick<Attempt, 'body' | 'service'>): readonly unknown[] {
  const history = body[service.dialect.key]
  return Array.isArray(history) ? history : []
}

const transcripts = new WeakMap<Body, Transcript>()

/** The history of a rejected body. It is read once for everything that needs it, and released with the body. */
export function transcriptOf(place: Pick<Attempt, 'body' | 'service'>): Transcript {
  const known = transcripts.get(place.body) ?? readHistory(place)
  transcripts.set(place.body, known)
  return known
}

export function readHistory(place: Pick<Attempt, 'body' | 'service'>): Transcript {
  return new Transcript(historyOf(place), place.service.dialect)
}

const BOUND: RuleId = 'thinking-bound-to-other-prefix'

/** The constraint that binds signatures to what precedes them, if it holds for this model. */
export function bindingConstraint({ service, model }: Pick<Attempt, 'service' | 'model'>): Constraint | undefined {
  return bindingConstraints(service).find((constraint) => severityOf(constraint, model) === 'error')
}

/** For all models of the service. */
export function bindingConstraints({ constraints }: Service): readonly Constraint[] {
  return [constraints[BOUND] ?? []].flat() as Constraint[]
}

export interface BoundRequest {
  readonly body: Body
  readonly headers?: Attempt['headers']
}

/**
 * After an edit before signed reasoning, on a model that checks it: asks the provider to drop what no longer matches,
 * or removes the reasoning. If nothing is bound, returns the same body.
 */
export function rebindReasoning(attempt: Place & Pick<Attempt, 'headers' | 'provider'>): BoundRequest {
  const constraint = bindingConstraint(attempt)
  if (!constraint) return { body: attempt.body }
  return withHeader(attempt, repairStrictly(attempt, { rejectedBy: [BOUND] }).body, constraint)
}

/** The setting needs its beta name: in a header, or in the body for services that have it there. */
export function withHeader(
  { headers, provider }: Pick<Attempt, 'headers' | 'provider'>,
  body: Body,
  constraint: Constraint,
): BoundRequest {
  const dropping = droppingOf(constraint)
  const path = dropping?.setting
  const beta = constraint['header']
  const setting = dropping ? valueAt(body, [...dropping.setting, ...dropping.path]) : undefined
  if (!path || typeof beta !== 'string' || setting !== dropping.drop) return { body }
  return withBeta({ body, headers, provider }, beta, path)
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

/** The caller prefers an error to losing a block. */
export function wantsError({ body, service }: Pick<Attempt, 'body' | 'service'>): boolean {
  const dropping = bindingConstraints(service)
    .map(droppingOf)
    .find((one) => one !== undefined)
  return dropping !== undefined && valueAt(body, [...dropping.setting, ...dropping.path]) === dropping.fail
}

/** The body with another history. */
export function withHistory({ body, service }: Pick<Attempt, 'body' | 'service'>, history: readonly unknown[]): Body {
  return history === body[service.dialect.key] ? body : withKey(body, service.dialect.key, history)
}
