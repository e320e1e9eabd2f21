/**
 * Faults x providers x streaming or not, through the guard, with the official clients: the caller gets a good answer,
 * or an error; an error with a status is the provider's own, unaltered; nothing hangs, is asked for again after output,
 * or comes twice.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ways } from '../scripts/guard-clients.ts'
import { page } from '../scripts/guard-faults-page.ts'
import { classes, run, TEXT } from '../scripts/guard-matrix.ts'

describe.each(classes.map((one) => [one.name, one] as const))('%s', (_name, one) => {
  const meant = ways.filter((way) => one.only?.(way) ?? true)
  it.each(meant.map((way) => [`${way.provider} ${way.endpoint}${way.stream ? ' stream' : ''}`, way] as const))(
    '%s',
    async (_where, way) => {
      const outcome = await run(one, way)
      expect(outcome.saw, String(outcome.thrown)).toBe(one.expects(way))
      expect(TEXT.startsWith(outcome.text)).toBe(true)
      if (outcome.saw === 'error' && outcome.text !== '') expect(outcome.asked).toBe(1)
      expect(outcome.own).toBe(true)
      expect(JSON.stringify(outcome.events)).not.toContain('weather')
    },
    20_000,
  )
})

it('the page has the results of the tests', () => {
  expect(readFileSync(join(import.meta.dirname, '../docs/evidence/guard-faults.md'), 'utf8')).toBe(page())
})
