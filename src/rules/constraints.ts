/** The typed table of constraints for provider files: a misspelled rule id or parameter does not compile. */
import type { ConstraintOf } from '../core/index.ts'
import type { rules } from './index.ts'

type AnyRule = (typeof rules)[number]

/** The id of a rule. */
export type RuleId = AnyRule['id']

/** A constraint of one rule: its evidence, models and parameters. */
export type ConstraintFor<Id extends RuleId> = ConstraintOf<Extract<AnyRule, { readonly id: Id }>>

/** `null` removes a constraint of a base table. Constraints of one rule differ in their models or parameters. */
export type Constraints = {
  readonly [Id in RuleId]?: ConstraintFor<Id> | readonly ConstraintFor<Id>[] | null
}
