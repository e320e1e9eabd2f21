import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hosts, repaired, testFormat } from '../../test/session-files/conformance.ts'
import {
  ask,
  byId,
  cases,
  chatAsk,
  chatEnd,
  end,
  type FormatCase,
  gemini,
  hands,
  inputOf,
  jsonl,
  ocTables,
  result,
  session,
  textOf,
  use,
} from '../../test/session-files/format-cases.ts'
import { DIALECTS, FORMATS, type FormatId, fileFrom, fileOf, sample } from '../../test/session-files/samples.ts'
import { providers } from '../index.ts'
import { parseHistory } from '../testing/index.ts'
import { formats } from './formats.ts'
import { checkSessionFile, planRepair } from './plan.ts'
import { bytesOf } from './salvage/bytes.ts'
import { namedServices } from './service-by-name.ts'
import type { FileInput } from './types.ts'

/** A format of lines: its sample, and a file whose last call has no result. */
function lineCase(id: FormatId): FormatCase {
  const history = parseHistory('user: go\nassistant: call abc123def run\nuser: well?', DIALECTS[id])
  return {
    format: byId(id),
    valid: { bytes: fileOf(sample(id)) },
    broken: { bytes: fileOf(fileFrom(id, history)) },
  }
}

const allCases = [...FORMATS.map(lineCase), ...cases]

it('every format has a case, one that is broken if it is written, and a row in the docs', () => {
  expect(allCases.map(({ format }) => format.id).sort()).toEqual(formats.map(({ id }) => id).sort())
  const docs = ['session-files.md', 'session-files-formats.md'].map((page) =>
    readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8'),
  )
  const rows = docs.flatMap((text) => [...text.matchAll(/^\| ([^|]*)/gm)]).map(([, first]) => first!)
  for (const { id, writes } of formats) {
    expect(
      rows.some((row) => row.includes(`\`${id}\``)),
      `${id} has no row in docs/session-files*.md`,
    ).toBe(true)
    if (writes === 'yes') expect(allCases.find(({ format }) => format.id === id)!.broken, id).toBeDefined()
  }
})

describe.each(allCases.map((one) => [one.format.id, one] as const))('%s', (_, one) => {
  testFormat(one)

  it('is recognized, by itself or before any other format', () => {
    // A document is recognized by its bytes, JSONL by its first records.
    const head = one.format
      .read(one.valid)
      .records.slice(0, 4)
      .map(({ value }) => value)
    const scores = formats.map(({ id, recognize }) => [recognize(one.valid, head), id] as const)
    expect(scores.toSorted((a, b) => b[0] - a[0])[0]![1]).toBe(one.format.id)
  })
})

describe('places', () => {
  it.each(Object.keys(hosts))('%s', (name) => {
    const places = formats.flatMap(({ id, locate }) =>
      locate(hosts[name]!).map(({ root, pattern }) => `${id}: ${root} ${pattern}`),
    )
    expect(places).toMatchSnapshot()
    if (name === 'win32')
      expect(places.filter((place) => /: [^ ]*\//.test(place.replaceAll('Code - Insiders', 'Insiders')))).toEqual([])
  })

  it('variables move the folders', () => {
    const host = { ...hosts['linux']!, env: { CONTINUE_GLOBAL_DIR: '/c', XDG_DATA_HOME: '/x' } }
    expect(byId('continue').locate(host)).toEqual([{ root: '/c', pattern: 'sessions/*.json' }])
    expect(byId('amp').locate(host)[0]!.root).toBe('/x/amp')
  })
})

it('every named service is a provider that serves its dialect', () => {
  for (const { provider, dialect } of namedServices)
    expect(providers.find(({ id }) => id === provider)?.serves.map((one) => one.dialect.id)).toContain(dialect)
})

describe('faults of formats', () => {
  const rulesOf = (id: string, input: FileInput) =>
    byId(id)
      .check(byId(id).read(input))
      .map(({ rule }) => rule)

  it('opencode: a finding in a database does not promise a repair, which nothing would make', () => {
    const file = byId('opencode').read(ocTables({ status: 'running' }))
    const findings = checkSessionFile(file)
    expect(findings.map(({ rule }) => rule)).toContain('tool-part-unfinished')
    expect(findings.map(({ repair }) => repair)).toEqual(findings.map(() => undefined))
    expect(findings.find(({ rule }) => rule === 'tool-part-unfinished')!.message).not.toContain('The repair')
    expect(planRepair(file, { force: true }).changes).toEqual([])
  })

  it('opencode: a finding in its own files promises no repair, since none exists', () => {
    const { tables: rows } = ocTables({ status: 'running' })
    const data = (table: string, at: number) => bytesOf(String(rows![table]![at]!['data']))
    const siblings = new Map([
      ['storage/message/ses_1/msg_2.json', data('message', 1)],
      ['storage/part/msg_2/prt_2.json', data('part', 1)],
    ])
    const file = byId('opencode').read({ bytes: bytesOf('{"id":"ses_1"}'), siblings })
    const [found] = checkSessionFile(file)
    expect(found).toMatchObject({ rule: 'tool-part-unfinished', repair: undefined })
    expect(found!.message).not.toContain('The repair')
    expect(planRepair(file, { force: true }).changes).toEqual([])
  })

  it('Gemini CLI: a doubled result and a rewind to nowhere', () => {
    const doubled = {
      id: 'u2',
      type: 'user',
      content: [{ functionResponse: { id: 'c1', name: 'ls', response: { output: 'a' } } }],
    }
    expect(rulesOf('gemini-cli', inputOf(jsonl(...gemini([doubled]))))).toEqual(['doubled-result'])
    expect(rulesOf('gemini-cli', inputOf(jsonl(...gemini([{ $rewindTo: 'nowhere' }]))))).toEqual([
      'rewind-to-unknown-message',
    ])
  })

  it('OpenHands: the error on another branch than its call', () => {
    expect(rulesOf('openhands', hands({ parent_id: 'e1' }))).toEqual(['stale-head'])
  })

  it('fine-tuning: last message, weights and lines without messages', () => {
    const text = jsonl(
      { messages: [chatEnd, chatAsk] },
      { messages: [{ ...chatAsk, weight: 1 }, chatEnd] },
      { text: 'x' },
    )
    expect(rulesOf('fine-tuning', inputOf(text))).toEqual(['last-not-assistant', 'weight-invalid', 'no-messages'])
  })

  it('AI SDK: a call with a repaired id stays in its answer', () => {
    const call = { type: 'tool-ls', toolCallId: 'c1', input: {}, state: 'output-available', output: 'a.txt' }
    const step = { type: 'step-start' }
    const text = { type: 'text', text: 'look' }
    const prompt = { id: 'm1', role: 'user', parts: [text] }
    const answer = { id: 'm2', role: 'assistant', parts: [step, call, call, step, text] }
    const now = JSON.parse(textOf(repaired(byId('ui-messages'), inputOf(JSON.stringify([prompt, answer]))).bytes))
    expect(now).toEqual([prompt, { ...answer, parts: [step, call, { ...call, toolCallId: 'c1_2' }, step, text] }])
  })

  it('a cut document is closed after its last complete element', () => {
    const whole = JSON.stringify(session([ask, use('t1'), result('t1'), end]), null, 2)
    const input = inputOf(whole.slice(0, whole.indexOf('one file')), '/s/s.messages.json')
    const { bytes } = repaired(byId('cline'), input)
    const now = JSON.parse(textOf(bytes))
    expect(now.messages).toEqual([ask, use('t1'), result('t1')])
    expect(
      byId('cline')
        .read(input)
        .salvage.quarantined.map(({ reason }) => reason),
    ).toEqual(['torn-record'])
    expect(repaired(byId('cline'), { ...input, bytes }).bytes).toBe(bytes)
  })
})
