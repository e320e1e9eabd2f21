/**
 * A history that went from one dialect to another: after the repair every provider of the target accepts it, and
 * nothing is lost.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judge } from '../contract/judge.ts'
import { equal, Transcript } from '../src/core/index.ts'
import { apply, dialects, invert, providers } from '../src/index.ts'
import { switchedHistory } from '../src/testing/arbitraries.ts'
import { seats } from './agreement.ts'
import { endpoints } from './dialect-table.ts'
import { runsOf } from './long-runs.ts'
import { lint, repair } from './untyped-api.ts'

const wire = Object.keys(endpoints)
const all = dialects.map(({ id }) => id)
const seed = Number(process.env['SUTURE_SEED'] ?? 20261118)
const runs = runsOf(6, 300)
/** Reasoning that never existed cannot be restored; a request can only turn thinking off. */
const UNREPAIRABLE = 'reasoning-content-missing'

const pairs = all.flatMap((from) => all.filter((to) => to !== from).map((to) => [from, to] as const))

function bodyOf(dialect: string, history: unknown): Record<string, unknown> {
  const key = dialects.find(({ id }) => id === dialect)!.key
  return { [key]: history }
}

describe.each(pairs)('%s to %s', (from, to) => {
  const targets = wire.includes(to)
    ? seats.filter(({ dialect }) => dialect === to).map(({ provider, models }) => ({ provider, models }))
    : [{ provider: to, models: [undefined] }]

  function check(history: readonly unknown[], words: readonly string[], convert: boolean): void {
    for (const { provider, models } of targets) {
      for (const model of models) {
        const options = { provider, dialect: to, convert, ...(model === undefined ? {} : { model }) }
        const { value, patch, remaining } = repair(history, options)
        const where = `${provider} ${model}\n${JSON.stringify(history)}\n${JSON.stringify(value)}`
        const errors = remaining.filter(({ severity, rule }) => severity === 'error' && rule !== UNREPAIRABLE)
        expect(errors, where).toEqual([])
        if (wire.includes(to)) {
          const named = model === undefined ? {} : { model }
          const body = repair({ ...bodyOf(to, history) }, options).value
          const verdict = judge({ provider, endpoint: endpoints[to]!, body, ...named })
          expect(verdict, `${provider} ${model}\n${JSON.stringify(history)}\n${JSON.stringify(body)}`).toEqual({
            accepted: true,
          })
        }
        const text = JSON.stringify(value)
        expect(
          words.filter((word) => !text.includes(word)),
          where,
        ).toEqual([])
        expect(repair(value, options).value, where).toBe(value)
        expect(equal(apply(value, invert(patch)), history), where).toBe(true)
        expect(equal(apply(history, JSON.parse(JSON.stringify(patch))), value), where).toBe(true)
      }
    }
  }

  it('keeps every promise after a switch', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(switchedHistory(from, to), ({ history, words }) => {
        const findings = lint(history, { provider: targets[0]!.provider, dialect: to })
        // No round of the target's own yet: the whole history is in the other dialect.
        const whole = findings.some(({ id }) => id === 'history')
        check(history, words, whole)
      }),
      { seed, numRuns: runs },
    )
  })

  it('changes nothing before the appended messages', { timeout: 120_000 }, () => {
    const { provider } = targets[0]!
    fc.assert(
      fc.property(switchedHistory(from, to), ({ history, at }) => {
        const options = { provider, dialect: to }
        const { textMessage } = dialects.find(({ id }) => id === to)!
        const turn = [textMessage('assistant', 'Done.'), textMessage('user', 'and now?')]
        if (at === history.length || lint(history, options).some(({ id }) => id === 'history')) return
        const before = repair(history, options).value
        const after = repair([...history, ...turn], options).value
        expect(JSON.stringify(after.slice(0, before.length)), JSON.stringify(history)).toBe(JSON.stringify(before))
      }),
      { seed, numRuns: runs * 4 },
    )
  })

  it('keeps every call, result and text in a round trip', { timeout: 120_000 }, () => {
    const maker = (id: string) => providers.find(({ serves }) => serves.some(({ dialect }) => dialect.id === id))!.id
    fc.assert(
      fc.property(switchedHistory(from, to, { whole: true }), ({ history, words }) => {
        const there = repair(history, { provider: maker(to), dialect: to, convert: true }).value
        const back = repair(there, { provider: maker(from), dialect: from, convert: true }).value
        const text = JSON.stringify(back)
        expect(words.filter((word) => !text.includes(word))).toEqual([])
        const dialect = dialects.find(({ id }) => id === from)!
        const [was, now] = [history, back].map((one) => new Transcript(one, dialect))
        expect(now!.calls.map(({ id, name }) => [id, name])).toEqual(was!.calls.map(({ id, name }) => [id, name]))
        expect(
          now!.results.map(({ id }) => id),
          JSON.stringify([history, there, back]),
        ).toEqual(was!.results.map(({ id }) => id))
      }),
      { seed, numRuns: runs },
    )
  })

  it('converts a whole history only with `convert: true`', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(switchedHistory(from, to, { whole: true }), ({ history, words }) => {
        const options = { provider: targets[0]!.provider, dialect: to }
        const [finding, ...rest] = lint(history, options)
        if (finding?.id === 'history') {
          expect(rest).toEqual([])
          expect(finding).toMatchObject({
            rule: 'foreign-message',
            severity: 'error',
            data: { source: from, target: to },
          })
          expect(repair(history, options).value).toBe(history)
        }
        check(history, words, true)
      }),
      { seed, numRuns: runs },
    )
  })
})
