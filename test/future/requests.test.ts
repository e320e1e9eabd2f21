/**
 * Requests of tomorrow: valid ones with something that no provider has today. The guard sends the same bytes, and lint
 * reports no error, since nothing proves a fault.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Dialect, Transcript } from '../../src/core/index.ts'
import { guard } from '../../src/guard/index.ts'
import { validHistory } from '../../src/testing/index.ts'
import { mains } from '../dialect-table.ts'
import { runsOf } from '../long-runs.ts'
import { lint } from '../untyped-api.ts'
import { requestOf, urls, wired } from './endpoints.ts'
import { additions, Dice, deepAdditions, type Request, replacements } from './inventions.ts'

const seed = Number(process.env['SUTURE_SEED'] ?? 20261120)
/** Valid histories of each dialect; each is tried with every invention. */
const bases = runsOf(310, 3000)

let tried = 0

let sent = ''
const ask = guard({
  fetch: async (_input, init) => {
    sent = typeof init!.body === 'string' ? init!.body : new TextDecoder().decode(init!.body as Uint8Array)
    return new Response('{}', { headers: { 'content-type': 'application/json' } })
  },
})

function validHistories(dialect: Dialect): readonly (readonly unknown[])[] {
  const all = fc.sample(validHistory(dialect.id), { numRuns: bases, seed })
  return all.filter((history) => history.length > 0)
}

function errorsIn({ body }: Request, dialect: Dialect): readonly string[] {
  const found = lint(body, { provider: mains[dialect.id]!, dialect: dialect.id })
  return found.flatMap(({ rule, severity, message }) => (severity === 'error' ? [`${rule}: ${message}`] : []))
}

describe.each(wired.map((dialect) => [dialect.id, dialect] as const))('%s', (_id, dialect) => {
  const histories = validHistories(dialect)

  it.each(Object.entries({ ...additions, ...deepAdditions, ...replacements }))(
    '%s: same bytes, no error',
    async (name, change) => {
      const dice = new Dice(seed + name.length)
      for (const history of histories) {
        const ids = new Transcript(history, dialect).calls.flatMap(({ id }) => id ?? [])
        const request = change(requestOf(history, dialect), dialect, dice, ids)
        if (!request) continue
        tried++
        const body = JSON.stringify(request.body)
        await ask(urls[dialect.id]!, { method: 'POST', headers: request.headers, body })
        if (sent !== body) expect(sent).toBe(body)
        // Headers are not seen by lint.
        const errors = Object.keys(request.headers).length === 1 ? errorsIn(request, dialect) : []
        if (errors.length > 0) expect(errors, body).toEqual([])
      }
    },
  )
})

it('tries at least 20,000 requests', () => expect(tried).toBeGreaterThan(20_000))
