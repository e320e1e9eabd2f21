/**
 * Lint finds an error exactly when the strict stand-in refuses: every provider at every endpoint, over random sound and broken
 * histories with the settings around them. Who is right when they differ is decided by the evidence, never by the other one.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brokenHistory, soundHistory } from '../src/testing/arbitraries.ts'
import { opinionsOn, type Request, type Seat, sameRule, seats } from './agreement.ts'
import { settled } from './agreement-cases.ts'

const runs = Number(process.env['SUTURE_RUNS'] ?? 200)
const seed = Number(process.env['SUTURE_SEED'] ?? 20261115)

/** What stands around a history, where a rule reads it: tools, thinking, cache marks, what the provider stores. */
const settings: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  'openai-chat': [
    {},
    { thinking: { type: 'enabled' } },
    { tools: [{ type: 'function', function: { name: 'weather', parameters: {} } }] },
  ],
  'openai-responses': [{}, { store: false }, { thinking: { type: 'enabled' } }, { previous_response_id: 'resp_1' }],
  'anthropic-messages': [
    {},
    { thinking: { type: 'enabled', budget_tokens: 1024 } },
    { thinking: { type: 'disabled' } },
    { system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }] },
    { tools: [{ name: 'weather', input_schema: { type: 'object' }, cache_control: { type: 'ephemeral', ttl: '1h' } }] },
  ],
  gemini: [{}, { tools: [{ functionDeclarations: [{ name: 'weather' }] }] }],
  'bedrock-converse': [
    {},
    { toolConfig: { tools: [{ toolSpec: { name: 'weather', inputSchema: { json: {} } } }] } },
    { toolConfig: { tools: [] }, additionalModelRequestFields: { thinking: { type: 'enabled' } } },
  ],
}

function requests({ provider, dialect, key, models }: Seat): fc.Arbitrary<Request> {
  const history = fc.oneof({ weight: 9, arbitrary: brokenHistory(dialect) }, soundHistory(dialect))
  return fc
    .tuple(history, fc.constantFrom(...models), fc.constantFrom(...settings[dialect]!))
    .map(([list, model, around]) => ({ provider, dialect, model, body: { model, [key]: list, ...around } }))
}

let refused = 0
let same = 0

describe(`lint and the contract, ${runs} requests each, seed ${seed}`, () => {
  it.each(seats.map((seat) => [`${seat.provider} ${seat.dialect}`, seat] as const))(
    '%s',
    (_name, seat) => {
      const result = fc.check(
        fc.property(requests(seat), (request) => {
          const opinions = opinionsOn(request)
          const { errors, verdict } = opinions
          if (errors.length > 0 !== verdict.accepted) {
            if (!verdict.accepted) refused++
            if (sameRule(opinions)) same++
            return
          }
          throw new Error(
            verdict.accepted
              ? `only lint: ${errors.map(({ rule, id, at }) => `${rule}/${id} at ${at.join('/')}`).join(', ')}`
              : `only the contract: ${verdict.rule}: ${verdict.message}`,
          )
        }),
        { seed, numRuns: runs },
      )
      const [request] = result.counterexample ?? []
      expect(result.failed, `${String(result.errorInstance)}\n${JSON.stringify(request)}`).toBe(false)
    },
    120_000,
  )
})

it('speaks of the same rule, mostly', () => {
  // Each names the first fault it meets, or all: they need not be the same one.
  console.log(`${same} of ${refused} refusals lead to a rule that lint reports`)
  expect(same / refused).toBeGreaterThan(0.75)
})

describe('settled differences', () => {
  it.each(Object.entries(settled))('%s', (_name, { provider, dialect, model, history, body, refused }) => {
    const { key } = seats.find((seat) => seat.provider === provider && seat.dialect === dialect)!
    const { errors, verdict } = opinionsOn({ provider, dialect, model, body: { model, [key]: history, ...body } })
    expect({ lint: errors.length > 0, contract: !verdict.accepted }).toEqual({ lint: refused, contract: refused })
  })
})
