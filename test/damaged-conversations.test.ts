/**
 * Real conversations, damaged at random, for every provider of their dialect: lint and the contract agree, and a
 * repaired history is valid for both, stable, and can be undone.
 */

import { describe, expect, it } from 'vitest'
import { judge } from '../contract/index.ts'
import { apply, invert } from '../src/index.ts'
import { bodyOf, dialectOf, hasCorpus, type Row } from './corpus.ts'
import { damagedNames, damagedRows, type Message } from './damaged-conversations.ts'
import { endpoints } from './dialect-table.ts'
import { lint, repair } from './untyped-api.ts'

const skipped = hasCorpus ? '' : ' (SKIPPED: no corpus; set SUTURE_CORPUS to its folder)'
const runs = Number(process.env['SUTURE_RUNS'] ?? 300)
const seed = Number(process.env['SUTURE_SEED'] ?? 51)

function wrongWith(row: Row, messages: Message[], provider: string, model: string | undefined): string | undefined {
  const dialect = dialectOf(row)
  const { model: _, ...rest } = bodyOf({ ...row, messages })
  const body = dialect === 'bedrock-converse' ? { ...rest, toolConfig: { tools: [] } } : rest
  const named = model ? { model } : {}
  const options = { provider, dialect, ...named }
  const verdict = (one: unknown) => judge({ provider, endpoint: endpoints[dialect]!, body: one, ...named })
  const reported = lint(body, options)
  // What is not known waits for a rejection: the strict repair is what comes after it.
  const waits = reported.some(({ notKnown }) => notKnown !== undefined)
  const errors = (one: unknown) => lint(one, options).filter(({ severity }) => severity === 'error')
  const found = errors(body)
  const before = verdict(body)
  if (found.length === 0 && !waits && !before.accepted) return `lint finds nothing, ${verdictText(before)}`
  const strict = waits && !before.accepted ? { strict: true } : {}
  const { value: history, patch } = repair(body, { ...options, ...strict })
  const left = errors(history)
  if (left.some(({ fix }) => fix)) return `left: ${left.map(({ rule }) => rule)}`
  const after = verdict(history)
  if (left.length === 0 && !after.accepted) return `repaired, and ${verdictText(after)}`
  if (repair(history, { ...options, ...strict }).value !== history) return 'does not rest'
  expect(apply(history, invert(JSON.parse(JSON.stringify(patch))))).toEqual(body)
  return undefined
}

function verdictText(verdict: ReturnType<typeof judge>): string {
  return verdict.accepted ? 'the contract takes it' : `the contract rejects it: ${verdict.message}`
}

describe.skipIf(!hasCorpus)(`randomly damaged, seed ${seed}${skipped}`, () => {
  it.each(damagedNames)('recorded-%s', (name) => {
    for (const { row, messages, provider, model } of damagedRows(name, runs, seed)) {
      const wrong = wrongWith(row, messages, provider, model)
      expect(wrong && `${row.id} ${provider} ${model}: ${wrong}\n${JSON.stringify(messages)}`).toBeUndefined()
    }
  })
})
