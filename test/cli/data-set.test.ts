/**
 * A large data set is checked line by line, a small one as a whole: both ways report the same.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkInput } from '../../src/cli/doctor/check-file.ts'
import { joinReports } from '../../src/cli/doctor/ranges.ts'
import type { FileReport } from '../../src/cli/doctor/report.ts'
import { checkDataSet } from '../../src/cli/histories/data-set.ts'
import { formatById } from '../../src/session-files/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'suture-data-set-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const call = (id: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'search', arguments: '{}' } }],
})
const user = { role: 'user', content: 'Which files changed? é 😀' }
const answer = { role: 'assistant', content: 'None.' }
const result = { role: 'tool', tool_call_id: 'call_1', content: 'nothing' }

const LINES: Readonly<Record<string, readonly unknown[]>> = {
  plain: [
    { model: 'gpt-4o', messages: [user, call('call_1'), result, answer, user] },
    { model: 'gpt-4o', messages: [user, call('call_1'), user] },
    { model: 'gpt-4o', messages: [user, result, answer] },
    { messages: [] },
    { model: 'claude-opus-4-5', messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
    [user, call('call_2')],
  ],
  'fine-tuning': [
    { messages: [user, answer] },
    { messages: [user, call('call_1')] },
    { messages: [user, call('call_1'), user, answer] },
    { messages: [user] },
    { messages: [user, { ...answer, weight: 2 }] },
    { input: { messages: [user] }, preferred_output: [answer], non_preferred_output: [] },
  ],
  sharegpt: [
    {
      conversations: [
        { from: 'human', value: 'Hi' },
        { from: 'gpt', value: 'Hello' },
      ],
    },
    {
      conversations: [
        { from: 'human', value: 'Hi' },
        { from: 'function_call', value: '{"name":"search","arguments":{}}' },
      ],
    },
    {
      conversations: [
        { from: 'function_call', value: '{"name":"search","arguments":{}}' },
        { from: 'human', value: 'Hi' },
      ],
    },
    {
      conversations: [
        { from: 'observation', value: 'lost' },
        { from: 'gpt', value: 'Hello' },
      ],
    },
  ],
}

function stored(lines: readonly string[]): { readonly path: string; readonly bytes: Buffer } {
  const path = join(folder, 'data.jsonl')
  const bytes = Buffer.from(`${lines.join('\n')}\n`)
  writeFileSync(path, bytes)
  return { path, bytes }
}

/** In ranges of this many bytes, as threads check it. */
function byLine(path: string, format: string, step: number, options: object): FileReport {
  const { size } = statSync(path)
  const parts = Array.from({ length: Math.ceil(size / step) }, (_, i) =>
    checkDataSet(path, formatById(format), [i * step, Math.min(size, (i + 1) * step)], options),
  )
  return joinReports(parts)
}

const shown = ({ findings, errors, warnings, repairable, conversations, messages }: FileReport) => ({
  findings,
  errors,
  warnings,
  repairable,
  conversations,
  messages,
})

/** Where a line of a data set is named, the report of a range names it, too; the whole file names only lines. */
const comparable = (report: FileReport) => {
  const { findings, ...counts } = shown(report)
  return {
    ...counts,
    findings: findings
      .map(({ conversation: _, ...one }) => one)
      .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.message < b.message ? -1 : 1)),
  }
}

describe.each(Object.keys(LINES))('%s', (format) => {
  it.each<[string, object]>([
    ['by default', {}],
    ['for another provider', { provider: 'mistral' }],
    ['with the text of records', { withText: true }],
    ['only one kind of finding', { only: ['chain'] }],
  ])('has the same findings line by line and as a whole: %s', (_name, options) => {
    const { path, bytes } = stored(LINES[format]!.map((value) => JSON.stringify(value)))
    const whole = checkInput(path, { bytes, path }, { ...options, format }, { size: bytes.length, mtimeMs: 0 })
    for (const step of [bytes.length, 100])
      expect(comparable(byLine(path, format, step, options))).toEqual(comparable(whole))
  })
})

it('finds something to compare', () => {
  const rules = Object.entries(LINES).flatMap(([format, lines]) => {
    const { path, bytes } = stored(lines.map((value) => JSON.stringify(value)))
    return byLine(path, format, bytes.length, {}).findings.map(({ rule, severity }) => `${rule} ${severity}`)
  })
  expect([...new Set(rules)]).toEqual(
    expect.arrayContaining([
      'tool-result-missing error',
      'tool-result-missing warning',
      'tool-result-orphan error',
      'no-assistant-message error',
      'preference-output error',
    ]),
  )
})

it('reports lines that are not JSON, not a conversation or blank, as for the whole file', () => {
  const lines = ['{"messages":[', ' ', '{"a":1}', JSON.stringify({ model: 'm', messages: [user] }), '[1']
  const { path, bytes } = stored(lines)
  const { findings, records } = byLine(path, 'plain', bytes.length, {})
  expect([findings.map(({ rule, line }) => [rule, line]), records]).toEqual([
    [
      ['not-json', 1],
      ['not-a-record', 3],
      ['not-json', 5],
    ],
    5,
  ])
})
