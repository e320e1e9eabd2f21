/**
 * Every provider, dialect and model has a row in the bench, and the histories it is measured on are valid there.
 */
import { describe, expect, it } from 'vitest'
import { broken, conversations, longHistory, manyMessages, smallRequest } from '../bench/histories.ts'
import { modelsOf, nameOf, subjects, targetOf } from '../bench/subjects.ts'
import * as suture from '../src/index.ts'
import { models } from './model-names.ts'

describe('bench subjects', () => {
  it('there is one for each provider, dialect and model, and without a model', () => {
    const wanted = suture.providers.flatMap(({ id, serves }) =>
      serves.flatMap(({ dialect }) =>
        [undefined, ...(models[id] ?? [])].map((model) => `${id} ${dialect.id} ${model ?? '-'}`),
      ),
    )
    expect(subjects.map(nameOf).sort(), 'add the provider or dialect to bench/subjects.ts').toEqual(wanted.sort())
  })

  it('models of test/model-names.ts belong to a provider', () => {
    const known: readonly string[] = suture.providers.map(({ id }) => id)
    expect(Object.keys(models).filter((id) => !known.includes(id))).toEqual([])
    expect(modelsOf('anthropic')).toContain(undefined)
  })

  it.each(subjects.map((subject) => [nameOf(subject), subject] as const))(
    '%s: valid, and broken as intended',
    (_, subject) => {
      const options = targetOf(subject)
      const long = longHistory(subject, 40_000)
      const histories = [long, smallRequest(subject), manyMessages(subject, 100), ...conversations(subject, 20_000)]
      expect(histories.flatMap((history) => suture.lint(history, options))).toEqual([])
      expect(suture.detect(long)).toBe(subject.dialect)
      const damaged = broken(long, subject.dialect)
      expect(suture.lint(damaged, options).length).toBeGreaterThan(0)
      expect(suture.repair(damaged, options).remaining.filter(({ severity }) => severity === 'error')).toEqual([])
    },
  )
})
