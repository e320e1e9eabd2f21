/**
 * The quick way through plain messages says what the long one says: findings, patch and outcome, on random histories of every dialect.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Dialect, dialects, lint, type Options, type Provider, providers, repair } from '../src/index.ts'
import { brokenHistory, soundHistory } from '../src/testing/arbitraries.ts'
import { runsOf } from './long.ts'
import { models } from './models.ts'

const runs = Math.min(runsOf(80, 500), 5000)
const seed = Number(process.env['SUTURE_SEED'] ?? 20261116)
const quick = dialects.filter((dialect) => dialect.plain)

describe.each(quick.map((dialect) => [dialect.id, dialect] as const))('%s', (id, dialect: Dialect) => {
  const serving = providers.filter(({ serves }) => serves.some((one) => one.dialect.id === id))
  const target = fc
    .constantFrom(...serving)
    .chain((provider) =>
      fc.record({ provider: fc.constant(provider), model: fc.constantFrom(...(models[provider.id] ?? [undefined])) }),
    )
  const options = fc.record({ sending: fc.boolean(), strict: fc.boolean() })

  it(`agrees on ${runs} histories`, { timeout: 300_000 }, () => {
    const history = fc.oneof(
      brokenHistory(id),
      soundHistory(id),
      fc.tuple(soundHistory(id), brokenHistory(id)).map((two) => two.flat()),
      // Long ones: what a mend does not touch is taken over in whole stretches.
      fc.array(fc.oneof(soundHistory(id), brokenHistory(id)), { minLength: 4, maxLength: 9 }).map((all) => all.flat()),
    )
    fc.assert(
      fc.property(history, target, options, (messages, { provider, model }, rest) => {
        const both = [provider, slow(provider)].map((one) => {
          const given: Options = { ...rest, provider: one, dialect: id, ...(model ? { model } : {}) }
          const { history: after, patch, findings, left } = repair(messages, given)
          return JSON.stringify({ after, patch, findings, left, lint: lint(messages, given) })
        })
        expect(both[0]).toBe(both[1])
      }),
      { seed, numRuns: runs },
    )
  })

  it('takes the quick way at all', () => {
    let outlines = 0
    const counted: Dialect = {
      ...dialect,
      plain(message, look) {
        const outline = dialect.plain!(message, look)
        if (outline >= 0) outlines++
        return outline
      },
    }
    const [provider] = serving
    fc.assert(
      fc.property(soundHistory(id), (messages) => {
        lint(messages, { provider: withDialect(provider!, counted), dialect: id, model: quickModels[id] ?? 'gpt-4.1' })
      }),
      { seed, numRuns: 50 },
    )
    expect(outlines).toBeGreaterThan(50)
  })
})

/** Models of which no rule wants to see every message. */
const quickModels: Readonly<Record<string, string>> = {
  'anthropic-messages': 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
  'bedrock-converse': 'anthropic.claude-3-5-sonnet-20240620-v1:0',
}

function slow(provider: Provider): Provider {
  const serves = provider.serves.map(({ dialect: { plain: _plain, ...dialect }, laws }) => ({ dialect, laws }))
  return { ...provider, serves }
}

function withDialect(provider: Provider, dialect: Dialect): Provider {
  return {
    ...provider,
    serves: provider.serves.map((one) => (one.dialect.id === dialect.id ? { ...one, dialect } : one)),
  }
}
