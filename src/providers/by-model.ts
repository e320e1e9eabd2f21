/** Tables of constraints that differ by model. */
import type { ConstraintBase, ConstraintTable } from '../core/index.ts'

/** Constraints of some models only. For them they replace those of the same rules in the base table. */
export function byModel<Table extends ConstraintTable>(base: Table, added: ConstraintTable, models: RegExp): Table {
  const joined = Object.entries(added).map(([rule, stated]) => [
    rule,
    [...without(base[rule], models), ...listOf(stated).map((one) => ({ ...one, models }))],
  ])
  return { ...base, ...Object.fromEntries(joined) }
}

/**
 * A relay passes these models on to another provider, and only the constraints of that provider apply. Constraints that
 * depend on the model are left out: several hosts serve it.
 */
export function routed<Table extends ConstraintTable>(base: Table, theirs: ConstraintTable, models: RegExp): Table {
  const others = Object.entries(base).map(([rule, stated]) => [rule, without(stated, models)])
  const added = Object.entries(theirs).map(([rule, stated]) => [rule, listOf(stated).filter((one) => !one.models)])
  return byModel(Object.fromEntries(others) as Table, Object.fromEntries(added), models)
}

/** The constraints as they were, but not for these models. */
function without(stated: ConstraintTable[string], models: RegExp): readonly ConstraintBase[] {
  return listOf(stated).map((one) => ({ ...one, except: one.except ? either(one.except, models) : models }))
}

function either(first: RegExp, second: RegExp): RegExp {
  return first.source.split('|').includes(second.source) ? first : new RegExp(`${first.source}|${second.source}`, 'i')
}

function listOf(stated: ConstraintTable[string]): readonly ConstraintBase[] {
  return stated === undefined || stated === null ? [] : [stated].flat()
}
