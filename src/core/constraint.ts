/** A constraint: one rule as one provider enforces it, with its evidence. Data only: the logic is in the rule. */
import type { Dialect } from './dialect.ts'

/** How well a fact is known. The first three make an error, the others a warning. */
export type Evidence = 'documented' | 'many-reports' | 'few-reports' | 'single-report' | 'inferred'

/** `error`: the provider rejects it. `warning`: it may. */
export type Severity = 'error' | 'warning'

/** What every constraint has, beside the parameters of its rule. */
export interface ConstraintBase {
  readonly evidence: Evidence
  /** Holds for models that match only. Without a model name such a constraint is a warning. */
  readonly models?: RegExp
  /** Does not hold for models that match. */
  readonly except?: RegExp
}

/** A constraint of some rule. Provider files use the typed table of `rules/constraints.ts` instead. */
export type Constraint = ConstraintBase & { readonly [parameter: string]: unknown }

/** Constraints by rule id. `null` removes a constraint that a base table has. */
export type ConstraintTable = Readonly<Record<string, AnyConstraint | readonly AnyConstraint[] | null | undefined>>

type AnyConstraint = ConstraintBase | Constraint

/** Who serves models: its hosts, and the constraints of each dialect it accepts. */
export interface Provider<Id extends string = string> {
  readonly id: Id
  /** Hosts that serve it, for the guard. */
  readonly hosts: readonly RegExp[]
  /** The dialects it serves, the usual one first, each with its constraints. */
  readonly serves: readonly Service[]
}

/** One provider's API in one dialect. */
export interface Service {
  readonly dialect: Dialect
  readonly constraints: ConstraintTable
}

/** Longer names are cut before patterns see them: a name comes from a request and may be of any length. */
const LONGEST_MODEL = 256

/** The severity of a constraint for a model; undefined: it does not hold for that model. */
export function severityOf(constraint: ConstraintBase, model: string | undefined): Severity | undefined {
  const { evidence, models, except } = constraint
  const level = evidence === 'single-report' || evidence === 'inferred' ? 'warning' : 'error'
  const name = model?.slice(0, LONGEST_MODEL)
  if (!models) return name !== undefined && except?.test(name) ? undefined : level
  if (name === undefined) return 'warning'
  return models.test(name) && !except?.test(name) ? level : undefined
}
