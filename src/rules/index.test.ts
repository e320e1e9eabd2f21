/** One rule, one file: it holds the rule and what is said of it, and both lists have all of them. */
import { expect, it } from 'vitest'
import type { Rule } from '../core/index.ts'
import { explanations, rules } from './index.ts'

it('every rule is explained, and nothing else is', () => {
  expect(Object.keys(explanations).sort()).toEqual(rules.map(({ id }) => id).sort())
})

it.each(rules.map((rule: Rule) => [rule.id, rule] as const))('%s is in the file of its name', async (id, rule) => {
  const path = `./${rule.afterRejection ? 'after-rejection/' : ''}${id}.ts`
  const file = (await import(path)) as Record<string, unknown>
  const name = id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  expect(Object.keys(file).sort()).toEqual([name, 'explanation'].sort())
  expect(file[name]).toBe(rule)
  expect(file['explanation']).toBe(explanations[id])
})
