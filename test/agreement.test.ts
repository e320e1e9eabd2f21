/**
 * What the contract rejects lint reports as an error, and after repair the contract accepts: every provider at every
 * endpoint, over random histories, damaged requests, the contract's own tables and real conversations. On the tables
 * and on real conversations lint also reports no error where the contract accepts; on malformed random input it may.
 * The evidence decides which one is wrong.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tables } from '../contract/testing/cases/index.ts'
import { type Opinions, opinionsOn, type Request, sameRule, seats } from './agreement.ts'
import { settled } from './agreement-cases.ts'
import { finds } from './agreement-fuzz-cases.ts'
import { damagedRequests, randomRequests } from './agreement-requests.ts'
import { bodyOf, dialectOf, hasCorpus, providerOf, rowsOf } from './corpus.ts'
import { runsOf } from './long-runs.ts'
import { repair } from './untyped-api.ts'

const runs = runsOf(80, 200)
const seed = Number(process.env['SUTURE_SEED'] ?? 20261115)

let rejected = 0
let same = 0
let judged = 0
/** Requests that repair leaves broken, since something in them is not known. */
let waiting = 0

function countRule(opinions: Opinions): void {
  if (!opinions.verdict.accepted) rejected++
  if (sameRule(opinions)) same++
}

/** Where they differ, in words; a field that only we do not know is never an error. */
function difference({ errors, reported, verdict }: Opinions): string | undefined {
  if (verdict.accepted)
    return errors.length === 0
      ? undefined
      : `only lint: ${errors.map(({ rule, id, at }) => `${rule}/${id} at ${at.join('/')}`).join(', ')}`
  return missed({ errors, reported, verdict })
}

function missed({ reported, verdict }: Opinions): string | undefined {
  if (verdict.accepted || reported.length > 0 || verdict.rule === 'unknown-field') return undefined
  return `only the contract: ${verdict.rule}: ${verdict.message}`
}

/** What the contract rejects after a repair that left no error. What is not known is repaired with `strict`. */
function rejectedAfterRepair(request: Request): string | undefined {
  const { provider, dialect, model, body } = request
  const options = { provider, dialect, ...(model === undefined ? {} : { model }) }
  const first = repair(body, options)
  const waits = first.remaining.some(({ notKnown }) => notKnown !== undefined)
  if (waits) waiting++
  const { value, remaining } = waits ? repair(body, { ...options, strict: true }) : first
  if (remaining.some(({ severity }) => severity === 'error')) return undefined
  const { verdict } = opinionsOn({ ...request, body: value })
  if (verdict.accepted || verdict.rule === 'unknown-field') return undefined
  return `rejected after repair: ${verdict.rule}: ${verdict.message}`
}

function hold(requests: fc.Arbitrary<Request>, seed: number, count?: (opinions: Opinions) => void): void {
  const result = fc.check(
    fc.property(requests, (request) => {
      const opinions = opinionsOn(request)
      judged++
      const differs = missed(opinions) ?? rejectedAfterRepair(request)
      if (differs) throw new Error(differs)
      count?.(opinions)
    }),
    { seed, numRuns: runs },
  )
  const [request] = result.counterexample ?? []
  expect(result.failed, `${String(result.errorInstance)}\n${JSON.stringify(request)}`).toBe(false)
}

// Each seat draws its own: one seed for all would give those of one dialect the same histories.
describe.each(seats.map((seat, i) => [`${seat.provider} ${seat.dialect}`, seat, seed + i] as const))(
  `lint and the contract, ${runs} requests each, seed ${seed}: %s`,
  (_name, seat, seed) => {
    it('random histories', { timeout: 300_000 }, () => hold(randomRequests(seat), seed, countRule))
    it('damaged requests', { timeout: 300_000 }, () => hold(damagedRequests(seat), seed))
  },
)

it('mostly names the same rule', () => {
  // Each names the first fault it meets, or all: they need not be the same one.
  console.log(`${same} of ${rejected} rejections lead to a rule that lint reports`)
  expect(same / rejected).toBeGreaterThan(0.75)
})

it('leaves few requests to a rejection', () => {
  console.log(`${waiting} of ${judged} random requests wait for a rejection`)
  expect(waiting / judged).toBeLessThan(0.05)
})

describe('the tables of the emulators', () => {
  const dialects: Readonly<Record<string, string>> = {
    chat: 'openai-chat',
    responses: 'openai-responses',
    messages: 'anthropic-messages',
    gemini: 'gemini',
    converse: 'bedrock-converse',
  }
  it.each(Object.entries(tables))('%s', (_title, { to, accepted, rejected }) => {
    const bodies = [
      ...Object.entries(accepted),
      ...Object.entries(rejected).map(([name, [body]]) => [name, body] as const),
    ]
    for (const [name, body] of bodies) {
      const seat = seats.find(
        (one) => one.provider === to.provider && (!to.endpoint || one.dialect === dialects[to.endpoint]),
      )
      if (!seat || to.issuedIds || !Array.isArray((body as Record<string, unknown>)[seat.key])) continue
      const model = to.model ?? (body as { model?: string }).model
      const request = { provider: seat.provider, dialect: seat.dialect, model, body: body as Request['body'] }
      expect(difference(opinionsOn(request)), name).toBeUndefined()
    }
  })
})

describe.skipIf(!hasCorpus)(
  `real conversations${hasCorpus ? '' : ' (SKIPPED: no corpus; set SUTURE_CORPUS to its folder)'}`,
  () => {
    const files = ['openai-chat', 'anthropic', 'openai-responses', 'gemini', 'bedrock-converse', 'rejections']
    it.each([...files.map((file) => `recorded-${file}`), 'measured-anthropic', 'issues-broken'])('%s', (file) => {
      const differ = rowsOf(file).flatMap((row) => {
        const request = { provider: providerOf(row), dialect: dialectOf(row), model: row.model, body: bodyOf(row) }
        const isServed = seats.some((seat) => seat.provider === request.provider && seat.dialect === request.dialect)
        const differs = isServed ? difference(opinionsOn(request)) : undefined
        return differs ? [`${row.id} ${request.provider} ${row.model}: ${differs}`] : []
      })
      expect(differ).toEqual([])
    })
  },
)

describe('settled differences', () => {
  it.each(Object.entries({ ...settled, ...finds }))(
    '%s',
    (_name, { provider, dialect, model, history, body, rejected }) => {
      const { key } = seats.find((seat) => seat.provider === provider && seat.dialect === dialect)!
      const { reported, verdict } = opinionsOn({ provider, dialect, model, body: { model, [key]: history, ...body } })
      expect(verdict.accepted).toBe(!rejected)
      if (rejected) expect(reported.length > 0 || (!verdict.accepted && verdict.rule === 'unknown-field')).toBe(true)
    },
  )
})
