import type { Law, Laws } from '../core/index.ts'

/** Laws that hold for some models only. The rules they name are theirs alone there; the table's hold for all others. */
export function byModel(base: Laws, laws: Laws, models: RegExp): Laws {
  const joined = Object.entries(laws).map(([rule, law]) => [
    rule,
    [...without(base[rule], models), ...listOf(law).map((one) => ({ ...one, models }))],
  ])
  return { ...base, ...Object.fromEntries(joined) }
}

/**
 * A relay passes these models on to someone else, and that one's laws are all that hold. Those that go by the model are left out: several
 * hosts serve it.
 */
export function routed(base: Laws, laws: Laws, models: RegExp): Laws {
  const others = Object.entries(base).map(([rule, law]) => [rule, without(law, models)])
  const theirs = Object.entries(laws).map(([rule, law]) => [rule, listOf(law).filter((one) => !one.models)])
  return byModel(Object.fromEntries(others), Object.fromEntries(theirs), models)
}

/** The laws as they were, but not for these models. */
function without(laws: Laws[string] | undefined, models: RegExp): readonly Law[] {
  return listOf(laws).map((law) => ({ ...law, except: law.except ? either(law.except, models) : models }))
}

function either(first: RegExp, second: RegExp): RegExp {
  return first.source.split('|').includes(second.source) ? first : new RegExp(`${first.source}|${second.source}`, 'i')
}

function listOf(laws: Laws[string] | undefined): readonly Law[] {
  return laws === undefined || laws === null ? [] : ([laws].flat() as Law[])
}
