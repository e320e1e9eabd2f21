/**
 * Faults that wait for a rejection although nothing is new: each costs a second round trip. On recorded requests and on
 * those of the testing kit there are none. They are found by comparing with a repair that takes everything as known.
 */
import { describe, expect, it } from 'vitest'
import { repair, type Service } from '../../src/core/index.ts'
import { providers } from '../../src/index.ts'
import { rules } from '../../src/rules/index.ts'
import { corruptions } from '../../src/testing/index.ts'
import { bodyOf, dialectOf, hasCorpus, providerOf, rowsOf } from '../corpus.ts'
import { trialOf } from '../fidelity.ts'
import { runsOf } from '../long-runs.ts'

const trials = corruptions.length * runsOf(8, 200)

const everything = new Map<Service, Service>()

/** The service, for which nothing is unknown. */
function allKnown(service: Service): Service {
  const { known: _known, ...dialect } = service.dialect
  const found = everything.get(service) ?? { ...service, dialect }
  everything.set(service, found)
  return found
}

/** What the guard leaves to a rejection, and would otherwise repair before the request is sent. */
function waiting(body: object, provider: string, dialect: string, model?: string): readonly string[] {
  const service = providers.find(({ id }) => id === provider)!.serves.find((one) => one.dialect.id === dialect)!
  const target = { rules, model, uninvited: () => [] }
  const now = repair(body, { ...target, service })
  const left = now.findings.flatMap(({ rule, notKnown }) => (notKnown === undefined ? [] : [`${rule}: ${notKnown}`]))
  if (left.length === 0) return []
  const all = repair(body, { ...target, service: allKnown(service) })
  return JSON.stringify(all.value) === JSON.stringify(now.value) ? [] : left
}

const skipped = hasCorpus ? '' : ' (SKIPPED: no corpus; set SUTURE_CORPUS to its folder)'

describe.skipIf(!hasCorpus)(`recorded requests${skipped}`, () => {
  const recorded = ['openai-chat', 'anthropic', 'openai-responses', 'gemini', 'bedrock-converse', 'rejections']
  const others = [
    'measured-anthropic',
    'issues-broken',
    'claude-code-anthropic',
    'codex-rollout-responses',
    'tau-openai-chat',
  ]
  it.each([...recorded.map((name) => `recorded-${name}`), ...others, 'sweagent-openai-chat'])('%s', (name) => {
    const rows = rowsOf(name)
    expect(rows.length).toBeGreaterThan(0)
    const left = rows.flatMap((row) => waiting(bodyOf(row), providerOf(row), dialectOf(row), row.model))
    expect(left).toEqual([])
  })
})

it(`the testing kit, ${trials} broken conversations`, () => {
  let tried = 0
  for (let seed = 1; seed <= trials; seed++) {
    const trial = trialOf(seed)
    if (!trial) continue
    tried++
    const { provider, dialect, history, model, corruption } = trial
    const left = waiting({ [dialect.key]: history }, provider, dialect.id, model)
    if (left.length > 0) expect(left, `${corruption.id} in ${dialect.id}, seed ${seed}`).toEqual([])
  }
  expect(tried).toBeGreaterThan(trials / 2)
})
