/**
 * Real conversations: what a service accepted is valid and comes back as it is; what it rejected is found by the rule
 * it named, and repaired.
 */

import { describe, expect, it } from 'vitest'
import { bodyOf, dialectOf, hasCorpus, providerOf, type Row, rowsOf } from './corpus.ts'
import { lint, repair } from './untyped-api.ts'

const skipped = hasCorpus ? '' : ' (SKIPPED: no corpus; set SUTURE_CORPUS to its folder)'
const recorded = ['openai-chat', 'anthropic', 'openai-responses', 'gemini', 'bedrock-converse']

const errorsIn = (input: unknown, row: Row, provider = providerOf(row)) =>
  lint(input, { provider, dialect: dialectOf(row), ...(row.model ? { model: row.model } : {}) })
    .filter(({ severity }) => severity === 'error')
    .map(({ rule, at }) => `${row.id} ${provider} ${row.model}: ${rule} at ${at.join('/')}`)

describe.skipIf(!hasCorpus)(`accepted by a service${skipped}`, () => {
  it.each(recorded)('recorded-%s: no error, the same array back', (name) => {
    const rows = rowsOf(`recorded-${name}`)
    expect(rows.length).toBeGreaterThan(0)
    // Where earlier turns are the provider's, the list alone does not tell.
    const whole = rows.filter((row) => row['previous_response_id'] === undefined && row['conversation'] === undefined)
    expect(whole.flatMap((row) => errorsIn(row.messages, row))).toEqual([])
    if (name !== 'bedrock-converse') expect(rows.flatMap((row) => errorsIn(bodyOf(row), row))).toEqual([])
    for (const row of whole) {
      const options = {
        provider: providerOf(row),
        dialect: dialectOf(row),
        ...(row.model ? { model: row.model } : {}),
      }
      expect(repair(row.messages, options).value).toBe(row.messages)
    }
  })

  it('measured-anthropic: what got 200 is valid', () => {
    const rows = rowsOf('measured-anthropic').filter((row) => row.provider_status === 200)
    expect(rows.flatMap((row) => errorsIn(row.messages, row))).toEqual([])
  })

  it('claude-code-jsonl: messages as they were stored, with the fields of answers, are repaired', () => {
    const options = { provider: 'anthropic' } as const
    for (const row of rowsOf('claude-code-jsonl')) {
      const stored = row.messages.map((entry) => (entry as { message?: { role?: string } }).message)
      const { value: history } = repair(
        stored.filter((message) => message?.role !== undefined),
        options,
      )
      expect(lint(history, options).filter(({ severity }) => severity === 'error')).toEqual([])
    }
  })

  it.each(['tau-openai-chat', 'sweagent-openai-chat', 'claude-code-anthropic'])(
    '%s: runs that went on have no error, or are repaired',
    (name) => {
      for (const row of rowsOf(name)) {
        const options = { provider: providerOf(row), dialect: dialectOf(row) }
        const { value: history } = repair(row.messages, options)
        expect(lint(history, options).filter(({ severity }) => severity === 'error')).toEqual([])
      }
    },
  )
})

/** The reporter's word for the fault, and the rule it is here; the provider where the report names one. */
const named: Readonly<Record<string, { rule: string; provider?: Readonly<Record<string, string>> }>> = {
  'orphan-result': { rule: 'tool-result-orphan' },
  'user-after-tool': { rule: 'role-order', provider: { 'openai-chat': 'mistral' } },
  'malformed-arguments': { rule: 'tool-arguments-not-json' },
  'empty-arguments': { rule: 'tool-arguments-not-json' },
  'arguments-not-object': { rule: 'tool-arguments-not-object' },
  'arguments-object': { rule: 'tool-arguments-not-object' },
  'interposed-message': { rule: 'tool-result-not-adjacent' },
  'misplaced-result': { rule: 'tool-result-not-adjacent' },
  'split-parallel': { rule: 'tool-result-count-mismatch' },
  'missing-response': { rule: 'tool-result-missing' },
  'empty-text-block': { rule: 'text-blank' },
  'duplicate-call-id': { rule: 'tool-result-missing' },
  'left-cut': { rule: 'tool-call-turn-order' },
  'aggregated-stream': { rule: 'tool-result-missing' },
  'id-format': { rule: 'tool-call-id-format', provider: { 'openai-chat': 'mistral' } },
  'compaction-orphan-result': { rule: 'tool-result-orphan' },
  'duplicate-result': { rule: 'tool-result-duplicate' },
}

describe.skipIf(!hasCorpus)(`rejected by a service${skipped}`, () => {
  const reports = rowsOf('issues-broken').map((row) => [`${row.id} ${row.class}`, row] as const)

  it.each(reports)('%s: the finding names the rule, and the repaired history is valid', (_name, row) => {
    const wanted = wantedIn(row)
    const provider = named[row.class!]?.provider?.[row.dialect] ?? providerOf(row)
    const options = { provider, dialect: dialectOf(row) }
    const found = lint(row.messages, options).map(({ rule }) => rule)
    if (wanted && !row.valid_in_this_dialect) expect(found).toContain(wanted)
    for (const strict of [false, true]) {
      const { value: history } = repair(row.messages, { ...options, strict })
      expect(lint(history, { ...options, strict }).filter(({ severity }) => severity === 'error' || strict)).toEqual([])
    }
  })

  it('measured-anthropic: what got 400 is an error', () => {
    const rows = rowsOf('measured-anthropic').filter((row) => row.provider_status === 400)
    expect(rows.filter((row) => errorsIn(row.messages, row).length === 0).map(({ id }) => id)).toEqual([])
  })

  it('recorded-rejections: an error if the list itself shows the fault', () => {
    const rows = rowsOf('recorded-rejections').filter(
      (row) => !/does not support|URL sources/.test(row.provider_error ?? ''),
    )
    expect(
      rows
        .filter((row) => errorsIn(row.messages, row).length === 0)
        .map(({ id, provider_error }) => `${id} ${provider_error}`),
    ).toEqual([])
  })
})

/** Results over several messages are counted by Gemini and disputed for Anthropic. */
function wantedIn(row: Row): string | undefined {
  if (row.class === 'split-results')
    return row.dialect === 'gemini' ? 'tool-result-count-mismatch' : 'tool-result-not-adjacent'
  return named[row.class!]?.rule
}
