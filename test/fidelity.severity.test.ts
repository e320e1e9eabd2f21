/**
 * Evidence and severity agree, for every provider and rule: rejections on record is an error and repaired,
 * what is assumed is a warning. The records are the cases of the contract, which shares no code with the rules.
 */
import { describe, expect, it } from 'vitest'
import { judge } from '../contract/judge.ts'
import { tables } from '../contract/testing/cases/index.ts'
import { type ConstraintBase, severityOf } from '../src/core/index.ts'
import { isObject } from '../src/core/json.ts'
import { providers } from '../src/index.ts'
import { rules } from '../src/rules/index.ts'
import { endpoints } from './dialect-table.ts'
import { lint, repair } from './untyped-api.ts'

const levels: Readonly<Record<ConstraintBase['evidence'], 'error' | 'warning'>> = {
  documented: 'error',
  'many-reports': 'error',
  'few-reports': 'error',
  'single-report': 'warning',
  inferred: 'warning',
}

const stated = providers.flatMap(({ id, serves }) =>
  serves.flatMap(({ dialect, constraints }) =>
    Object.entries(constraints).flatMap(([rule, value]) =>
      [value ?? []]
        .flat()
        .map((one) => ({ place: `${id}, ${dialect.id}: ${rule}`, constraint: one as ConstraintBase })),
    ),
  ),
)

describe('severity follows evidence', () => {
  it('of every constraint of every provider', () => {
    expect(stated.length).toBeGreaterThan(1000)
    for (const { place, constraint } of stated) {
      const { evidence, models, except } = constraint
      // A constraint of some models is certain only for a model that is named.
      const expected = models ? 'warning' : levels[evidence]
      expect([place, severityOf(constraint, undefined)]).toEqual([place, expected])
      if (!models && !except) expect([place, severityOf(constraint, 'any')]).toEqual([place, levels[evidence]])
    }
  })
})

interface OnRecord {
  readonly name: string
  readonly provider: string
  readonly dialect: string
  readonly model: string | undefined
  readonly body: object
  readonly rule: string
}

const known = new Set<string>(rules.map(({ id }) => id))
const dialectOf = new Map(Object.entries(endpoints).map(([dialect, endpoint]) => [endpoint, dialect]))

/** Every rejection on record that is about the history. */
function recorded(): readonly OnRecord[] {
  return Object.entries(tables).flatMap(([table, { to, rejected }]) =>
    Object.entries(rejected).flatMap(([name, [body, rule]]) => {
      const provider = providers.find(({ id }) => id === to.provider)
      const dialect = to.endpoint === undefined ? provider?.serves[0]?.dialect.id : dialectOf.get(to.endpoint)
      const isServed = provider?.serves.some((service) => service.dialect.id === dialect)
      if (!isServed || !known.has(rule) || to.disputed || to.headers || !isObject(body)) return []
      return [{ name: `${table}: ${name}`, provider: to.provider, dialect: dialect!, model: to.model, body, rule }]
    }),
  )
}

describe('rejections on record', () => {
  it.each(recorded().map((one) => [one.name, one] as const))('%s', (_name, { provider, dialect, model, body }) => {
    const options = { provider, dialect, ...(model ? { model } : {}) }
    expect(lint(body, options).some(({ severity }) => severity === 'error')).toBe(true)
    const { value, remaining } = repair(body, options)
    if (remaining.some(({ severity }) => severity === 'error')) return
    const verdict = judge({ provider, endpoint: endpoints[dialect]!, body: value, ...(model ? { model } : {}) })
    expect(verdict).toEqual({ accepted: true })
  })
})
