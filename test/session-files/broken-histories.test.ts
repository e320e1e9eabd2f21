/**
 * Broken histories that users reported, put into each format, repaired, and judged by the contract of the provider.
 */
import { describe, expect, it } from 'vitest'
import { judge } from '../../contract/index.ts'
import { rules } from '../../src/index.ts'
import { openSessionFile, planRepair } from '../../src/session-files/index.ts'
import { dialectOf, hasCorpus, providerOf, rowsOf } from '../corpus.ts'
import { skippable } from '../skip-reasons.ts'
import { DIALECTS, FORMATS, fileFrom, fileOf, type Line } from './samples.ts'

const ENDPOINTS: Readonly<Record<string, 'messages' | 'chat' | 'responses' | 'gemini'>> = {
  'anthropic-messages': 'messages',
  'openai-chat': 'chat',
  'openai-responses': 'responses',
  gemini: 'gemini',
}
const KEYS: Readonly<Record<string, string>> = { 'openai-responses': 'input', gemini: 'contents' }
const PROMPTS: Readonly<Record<string, unknown>> = {
  'openai-responses': { type: 'message', role: 'user', content: 'go on' },
  gemini: { role: 'user', parts: [{ text: 'go on' }] },
}
const ALL = rules.map(({ id }) => id)
const rows = rowsOf('issues-broken').filter((row) => row.valid_in_this_dialect !== true)

describe.each(FORMATS)(skippable('broken histories in %s files', !hasCorpus && 'no corpus'), (format) => {
  const dialect = DIALECTS[format]
  const own = rows.filter((row) => dialectOf(row) === dialect)

  it.skipIf(!hasCorpus)('come out accepted', () => {
    expect(own.length).toBeGreaterThan(2)
    for (const row of own) {
      const provider = providerOf(row)
      const history = (row.messages as Line[]).filter(({ role }) => role !== 'system')
      const bytes = fileOf(fileFrom(format, history))
      const plan = planRepair(openSessionFile({ bytes }, { format }), { provider, lossy: true, only: ALL })
      const after = openSessionFile({ bytes: plan.bytes }, { format })
      const sent = [...after.conversations[0]!.history, PROMPTS[dialect] ?? { role: 'user', content: 'go on' }]
      const body = { [KEYS[dialect] ?? 'messages']: sent, tools: toolsFor(dialect), max_tokens: 100 }
      expect(judge({ provider, endpoint: ENDPOINTS[dialect]!, body }), `${row.id} ${row.class}`).toEqual({
        accepted: true,
      })
      expect(planRepair(after, { provider, lossy: true, only: ALL }).bytes, row.id).toBe(after.input.bytes)
    }
  })
})

/** Declared tools: some providers want them as soon as the history has calls. */
function toolsFor(dialect: string): unknown[] {
  if (dialect === 'anthropic-messages') return [{ name: 'bash', input_schema: { type: 'object' } }]
  if (dialect === 'gemini') return [{ functionDeclarations: [{ name: 'bash' }] }]
  if (dialect === 'openai-responses') return [{ type: 'function', name: 'bash', parameters: { type: 'object' } }]
  return [{ type: 'function', function: { name: 'bash', parameters: { type: 'object' } } }]
}
