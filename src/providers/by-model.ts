import type { Law, Laws } from '../core/index.ts'

/** Laws that hold for some models only, beside those a table has for all. */
export function byModel(base: Laws, laws: Laws, models: RegExp): Laws {
  const joined = Object.entries(laws).map(([rule, law]) => [
    rule,
    [...listOf(base[rule]), ...listOf(law).map((one) => ({ ...one, models }))],
  ])
  return { ...base, ...Object.fromEntries(joined) }
}

function listOf(laws: Laws[string] | undefined): readonly Law[] {
  return laws === undefined || laws === null ? [] : ([laws].flat() as Law[])
}
