import { describe, expect, it } from 'vitest'
import { judge } from './judge.ts'
import { type Row, requestOf, rowsOf } from './testing/corpus.ts'

const RECORDED = [
  'recorded-openai-chat',
  'recorded-anthropic',
  'recorded-openai-responses',
  'recorded-gemini',
  'recorded-bedrock-converse',
]

describe.each(RECORDED)('%s: what a real provider accepted is accepted', (name) => {
  const rows = rowsOf(name)
  it.skipIf(rows.length === 0)(titleOf(rows), () => {
    const rejected = rows.filter((row) => !['accepted', 'tool-call-id-duplicate'].includes(rulingOf(row)))
    expect(rejected.map((row) => [row.id, row.host, row.model, rulingOf(row)])).toEqual([])
  })

  it.skipIf(rows.length === 0)(
    titleOf(rows, 'one id used again is rejected by Anthropic, one old recording aside'),
    () => {
      const repeated = rows.filter((row) => rulingOf(row) === 'tool-call-id-duplicate')
      expect(repeated.length).toBeLessThanOrEqual(name === 'recorded-anthropic' ? 1 : 0)
    },
  )
})

/** The rule for the short names of the measurement. */
const MEASURED: readonly (readonly [RegExp, readonly string[]])[] = [
  [/must use the user role/, ['first-not-user']],
  [/without tool_result/, ['tool-result-missing', 'tool-result-not-adjacent']],
  [/unexpected tool_use_id/, ['tool-result-orphan']],
  [/must be non-empty|non-empty content/, ['content-empty']],
  [/non-whitespace/, ['text-blank']],
  [/prefill|end with a user/, ['last-assistant-prefill']],
]

describe('measured-anthropic: each shape gets the status it got, for the reason it got', () => {
  const rows = rowsOf('measured-anthropic')
  it.skipIf(rows.length === 0)(titleOf(rows), () => {
    const got = rows.map((row) => [row.id, rulingOf(row) === 'accepted' ? 200 : 400])
    expect(got).toEqual(rows.map((row) => [row.id, row.provider_status]))
  })

  it.skipIf(rows.length === 0)(titleOf(rows, 'the rule'), () => {
    for (const row of rows) {
      const named = MEASURED.find(([text]) => text.test(row.reported_error ?? ''))
      if (named) expect(named[1], row.id).toContain(rulingOf(row))
    }
  })
})

/** The rule for the fault that a reporter named, or why it is accepted. */
const CLASSES: Readonly<Record<string, readonly string[]>> = {
  'orphan-result': ['tool-result-orphan'],
  'compaction-orphan-result': ['tool-result-orphan'],
  'interposed-message': ['tool-result-not-adjacent'],
  'misplaced-result': ['tool-result-not-adjacent'],
  'aggregated-stream': ['tool-result-missing'],
  'missing-response': ['tool-result-count-mismatch', 'tool-result-missing'],
  'left-cut': ['tool-call-turn-order'],
  'empty-text-block': ['content-empty'],
  // The first of the two calls is also unanswered at its position.
  'duplicate-call-id': ['tool-call-id-duplicate', 'tool-result-not-adjacent'],
  // Anthropic rejects it; no report for OpenAI chat and Responses (docs/rejections.md#not-seen-no-report).
  'duplicate-result': ['tool-result-duplicate', 'accepted'],
  // Disputed (docs/rejections.md#disputed): accepted by the provider itself, rejected in some reports.
  'split-results': ['accepted'],
  'split-parallel': ['accepted'],
  'user-after-tool': ['accepted'],
  // No report for OpenAI (docs/rejections.md#not-seen-no-report); llama.cpp and DashScope reject what does not parse.
  'malformed-arguments': ['accepted'],
  'arguments-not-object': ['accepted'],
  'empty-arguments': ['accepted'],
  // The list also shows a reasoning item with a field that is not sent.
  'arguments-object': ['unknown-field'],
}

describe('issues-broken: histories that users reported as rejected', () => {
  const rows = rowsOf('issues-broken').filter((row) => !row.valid_in_this_dialect)
  it.skipIf(rows.length === 0)(titleOf(rows), () => {
    const wrong = rows.filter((row) => {
      const expected = CLASSES[row.class ?? '']
      return expected ? !expected.includes(rulingOf(row)) : rulingOf(row) === 'accepted'
    })
    expect(wrong.map((row) => [row.id, row.class, rulingOf(row), row.reported_error])).toEqual([])
  })
})

/** Rejections that docs/rejections.md has no rule for. */
const NO_RULE = [/does not support '(developer|system)' with this model/, /URL sources are not supported/]

describe('recorded-rejections: the emulator uses the text of the provider', () => {
  const rows = rowsOf('recorded-rejections').filter(
    (row) => !NO_RULE.some((text) => text.test(row.provider_error ?? '')),
  )
  it.skipIf(rows.length === 0)(titleOf(rows), () => {
    for (const row of rows) {
      const verdict = judge(requestOf(row))
      expect(row.provider_error).toContain(verdict.accepted ? 'rejected' : verdict.message)
    }
  })
})

function rulingOf(row: Row): string {
  const verdict = judge(requestOf(row))
  return verdict.accepted ? 'accepted' : verdict.rule
}

function titleOf(rows: readonly Row[], title = `${rows.length} lists`): string {
  return rows.length > 0 ? title : `${title} (skipped: no corpus at SUTURE_CORPUS or ../shared/corpus)`
}
