/**
 * What is not understood is not called valid: formats, records and tables that exist in no version, and formats that are
 * known by name and not read.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { carriesText } from '../../src/session-files/content-text.ts'
import {
  checkSessionFile,
  formatById,
  formatFor,
  openSessionFile,
  planRepair,
  verdictOf,
} from '../../src/session-files/index.ts'
import { readSessionFile } from '../../src/session-files/node/read.ts'
import type { FileInput } from '../../src/session-files/types.ts'
import { skippable } from '../skip-reasons.ts'
import { sqliteDrivers } from '../sqlite-drivers.ts'

const sqlite = sqliteDrivers[0]!

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const json = (value: unknown): FileInput => ({ bytes: encode(JSON.stringify(value)) })
const lines = (...values: unknown[]): FileInput => ({
  bytes: encode(values.map((value) => `${JSON.stringify(value)}\n`).join('')),
})

function verdictFor(input: FileInput) {
  const format = formatFor(input)
  if (typeof format === 'string') return { verdict: 'not-understood', notUnderstood: [format], rules: [] }
  const file = format.read(input)
  const findings = checkSessionFile(file)
  return { ...verdictOf(file, findings), rules: findings.map(({ rule }) => rule) }
}

const SESSION = '11111111-1111-4111-8111-111111111111'
const envelope = {
  isSidechain: false,
  cwd: '/w',
  sessionId: SESSION,
  version: '9.0.0',
  timestamp: '2031-01-01T00:00:00Z',
}
const claude = [
  { ...envelope, parentUuid: null, uuid: 'aaaaaaaa-0001', type: 'user', message: { role: 'user', content: 'hi' } },
  {
    ...envelope,
    parentUuid: 'aaaaaaaa-0001',
    uuid: 'aaaaaaaa-0002',
    type: 'assistant',
    message: { role: 'assistant', model: 'claude-sonnet-4-5', content: [{ type: 'text', text: 'hello' }] },
  },
]
const codex = [
  {
    timestamp: '2031-01-01T00:00:00Z',
    type: 'session_meta',
    payload: { id: SESSION, cwd: '/w', cli_version: '9.0.0' },
  },
  {
    timestamp: '2031-01-01T00:00:00Z',
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
  },
]

describe('records of types that do not exist yet', () => {
  it.each([
    ['text', { type: 'exchange', sessionId: SESSION, exchange: { answer: 'it rains' } }],
    ['one word of content', { type: 'turn-v3', sessionId: SESSION, parts: [{ text: 'ok' }] }],
    ['text deep inside', { type: 'x', sessionId: SESSION, a: { b: [{ c: { d: 'what the tool said' } }] } }],
    ['a place in the chain', { type: 'fork', sessionId: SESSION, uuid: 'aaaaaaaa-0003', parentUuid: 'aaaaaaaa-0002' }],
  ])('Claude Code, with %s', (_name, record) => {
    const { verdict, notUnderstood } = verdictFor(lines(...claude, record))
    expect(verdict).toBe('not-understood')
    expect(notUnderstood[0]).toContain(`unknown record type "${record.type}" of version 9.0.0`)
  })

  it('Codex', () => {
    const record = { timestamp: '2031-01-01T00:00:00Z', type: 'item_v2', payload: { say: 'the answer is 4' } }
    const found = verdictFor(lines(...codex, record))
    expect(found).toMatchObject({ verdict: 'not-understood', checked: { messages: 1, records: 2, of: 3 } })
  })

  it.each([
    ['Claude Code', [...claude, { type: 'panel-size', sessionId: SESSION, width: 80, theme: 'dark' }]],
    ['Codex', [...codex, { timestamp: '2031-01-01T00:00:00Z', type: 'clock', payload: { offset: 3, title: 'A day' } }]],
  ])('those without content leave the verdict as it is: %s', (_name, records) => {
    expect(verdictFor(lines(...records)).verdict).toBe('valid')
  })

  it('a newer version alone is read as before', () => {
    expect(verdictFor(lines(...claude)).verdict).toBe('valid')
  })

  it('an error stays an error beside them', () => {
    const { bytes } = lines(...claude, { type: 'late', sessionId: SESSION, text: 'what is this' })
    const found = verdictFor({ bytes: Uint8Array.from([...bytes, ...encode('no json\n')]) })
    expect(found).toMatchObject({ verdict: 'findings', rules: ['not-json'] })
    expect(found.notUnderstood).toHaveLength(1)
  })
})

describe('formats that do not exist', () => {
  it.each<[string, FileInput]>([
    [
      'threads of turns',
      json({ exportVersion: 4, threads: [{ turns: [{ speaker: 'human', utterance: 'hi there' }] }] }),
    ],
    [
      'a list without roles',
      json([
        { speaker: 'human', text: 'hi' },
        { speaker: 'bot', text: 'ho' },
      ]),
    ],
    [
      'messages with other fields',
      json({
        messages: [
          { author: 'human', said: 'hi' },
          { author: 'bot', said: 'ho' },
        ],
      }),
    ],
    ['messages of an unknown type', json({ messages: [{ type: 'turn_v9', payload: { text: 'hi' } }] })],
    ['parts without a known key', json([{ role: 'user', parts: [{ kind: 'prose', value: 'hi there' }] }])],
    ['parts of an unknown type', json([{ role: 'user', parts: [{ type: 'prose', value: 'hi there' }] }])],
    ['lines of events', lines({ ev: 'prompt', body: 'hi' }, { ev: 'reply', body: 'ho' })],
    ['lines with a type', lines({ type: 'turn.begin', text: 'hi' }, { type: 'turn.end', text: 'ho' })],
    ['a body without a history', json({ model: 'claude-sonnet-4-5', max_tokens: 5 })],
    ['an empty list of messages', json({ model: 'claude-sonnet-4-5', messages: [] })],
    ['an empty list', json([])],
    ['a number', json(5)],
    ['nothing', { bytes: new Uint8Array() }],
    ['blank lines', { bytes: encode('\n\n \n') }],
    ['zeros', { bytes: new Uint8Array(500) }],
    ['other bytes', { bytes: Uint8Array.from({ length: 300 }, (_, i) => (i * 7919) % 256) }],
    ['words', { bytes: encode('hello world\nthis is a log\n') }],
    ['tables of another program', { bytes: new Uint8Array(), tables: {}, otherTables: ['chat_turns'] }],
  ])('%s', (_name, input) => {
    expect(verdictFor(input)).toMatchObject({ verdict: 'not-understood', rules: [] })
  })

  it.skipIf(sqlite.missing)(
    skippable('tables of a database that no query reads, if they have text', sqlite.missing),
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'suture-tables-'))
      try {
        const path = join(folder, 'opencode.db')
        const database = sqlite.open(path)
        for (const table of ['session', 'message', 'part', 'turn_v9', 'todo', 'counts'])
          database.exec(`CREATE TABLE ${table} (id, session_id, message_id, time_created, time_archived, data)`)
        for (const table of ['turn_v9', 'todo'])
          database.exec(`INSERT INTO ${table} (id, data) VALUES (1, '{"text":"what was said"}')`)
        database.exec("INSERT INTO counts (id, data) VALUES (1, 'none')")
        database.close()
        expect((await readSessionFile(path)).input.otherTables).toEqual(['turn_v9'])
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )

  it('unknown tables beside known ones', () => {
    const tables = {
      session: [{ id: 'ses_1' }],
      message: [{ id: 'msg_1', session_id: 'ses_1', time_created: 1, data: '{"role":"user"}' }],
      part: [{ id: 'prt_1', message_id: 'msg_1', session_id: 'ses_1', data: '{"type":"text","text":"hi"}' }],
    }
    const input = { bytes: new Uint8Array(), tables }
    expect(verdictFor(input).verdict).toBe('valid')
    const found = verdictFor({ ...input, otherTables: ['session_message'] })
    expect(found).toMatchObject({ verdict: 'not-understood' })
    expect(found.notUnderstood.join()).toContain('session_message')
  })

  it.each([
    [{ a: [{ b: 'two words' }] }, true],
    [{ content: 'x' }, true],
    [{ id: 'a b', title: 'two words', created_at: 'a b', n: 1, on: true }, false],
    [{ theme: 'dark', flags: ['fast'] }, false],
  ])('text in %j: %s', (value, is) => expect(carriesText(value)).toBe(is))
})

describe('formats that are known by name and not read', () => {
  const call = { part_kind: 'tool-call', tool_name: 'w', args: '{}', tool_call_id: 'c1' }
  const prompt = { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'Weather?' }] }
  const telemetry = [{ role: 'user', parts: [{ type: 'text', content: 'Weather?' }] }]
  it.each<[string, string, FileInput]>([
    ['a list', 'pydantic-ai', json([prompt, { kind: 'response', parts: [call] }])],
    ['lines', 'pydantic-ai', lines(prompt, { kind: 'response', parts: [call] })],
    ['messages', 'OpenTelemetry', json(telemetry)],
    ['a call', 'OpenTelemetry', json([{ role: 'assistant', parts: [{ type: 'tool_call', id: '1', name: 'w' }] }])],
    ['a span', 'OpenTelemetry', json({ name: 'chat', attributes: { 'gen_ai.input.messages': '[]' } })],
    ['steps', 'Interactions', json({ id: 'v1', steps: [{ type: 'user_input', content: [] }] })],
    [
      'a result',
      'Interactions',
      json({ input: [{ type: 'function_result', call_id: '1' }], previous_interaction_id: 'v1' }),
    ],
    [
      'turns',
      'Interactions',
      json({
        model: 'm',
        input: [
          { role: 'user', content: 'a' },
          { role: 'model', content: 'b' },
        ],
      }),
    ],
  ])('%s of %s', (_what, name, input) => {
    expect(formatFor(input)).toContain(name)
    expect(() => openSessionFile(input)).toThrow(name)
  })
})

describe('batch files', () => {
  const open = [
    { role: 'user', content: 'weather?' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'w', input: {} }] },
    { role: 'user', content: 'and?' },
  ]
  const chat = [
    { role: 'user', content: 'weather?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'w', arguments: '{}' } }],
    },
    { role: 'user', content: 'and?' },
  ]
  const items = [
    { role: 'user', content: 'weather?' },
    { type: 'function_call', call_id: 'call_1', name: 'w', arguments: '{}' },
    { role: 'user', content: 'and?' },
  ]
  const fine = [{ role: 'user', content: 'hi' }]
  const ofAnthropic = (messages: unknown) => ({
    custom_id: 'a',
    params: { model: 'claude-sonnet-4-5', max_tokens: 9, messages },
  })
  const ofOpenai = (body: object) => ({
    custom_id: 'b',
    method: 'POST',
    url: '/v1/x',
    body: { model: 'gpt-4o', ...body },
  })
  it.each<[string, FileInput, FileInput]>([
    ['Anthropic', json({ requests: [ofAnthropic(fine), ofAnthropic(open)] }), json({ requests: [ofAnthropic(fine)] })],
    [
      'OpenAI chat',
      lines(ofOpenai({ messages: fine }), ofOpenai({ messages: chat })),
      lines(ofOpenai({ messages: fine })),
    ],
    ['OpenAI Responses, one line', lines(ofOpenai({ input: items })), lines(ofOpenai({ input: fine }))],
    [
      'Gemini',
      lines({
        key: 'k',
        request: { contents: [{ role: 'user', parts: [{ functionResponse: { name: 'w', response: {} } }] }] },
      }),
      lines({ key: 'k', request: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] } }),
    ],
  ])('requests: %s', (_name, broken, valid) => {
    expect(verdictFor(valid)).toMatchObject({ verdict: 'valid', checked: { messages: 1 } })
    expect(verdictFor(broken).verdict).toBe('findings')
    const plan = planRepair(openSessionFile(broken))
    expect([plan.blocked, plan.remaining.filter(({ severity }) => severity === 'error')]).toEqual([undefined, []])
    expect(verdictFor({ bytes: plan.bytes }).rules).toEqual([])
    expect(planRepair(openSessionFile({ bytes: plan.bytes })).changes).toEqual([])
  })

  it.each<[string, unknown, unknown]>([
    [
      'OpenAI',
      { custom_id: 'a', response: { status_code: 200, body: { choices: [] } }, error: null },
      { custom_id: 'b', response: { status_code: 400, body: { error: { message: 'no' } } }, error: null },
    ],
    [
      'OpenAI, expired',
      { custom_id: 'a', response: { status_code: 200, body: {} } },
      { custom_id: 'b', response: null, error: { code: 'batch_expired', message: 'no' } },
    ],
    [
      'Anthropic',
      { custom_id: 'a', result: { type: 'succeeded', message: {} } },
      {
        custom_id: 'b',
        result: { type: 'errored', error: { type: 'error', error: { type: 'invalid_request_error', message: 'no' } } },
      },
    ],
  ])('outcomes: %s', (_name, reply, rejection) => {
    expect(verdictFor(lines(reply, reply))).toMatchObject({ verdict: 'valid' })
    expect(verdictFor(lines(reply))).toMatchObject({ verdict: 'valid' })
    expect(verdictFor(lines(reply, rejection))).toMatchObject({
      verdict: 'findings',
      rules: ['batch-request-rejected'],
    })
  })
})

describe('the folder of an agent', () => {
  it('a file in another format is not read as that format', () => {
    expect(formatFor(lines(...codex), { homes: ['claude-code'] })).toContain('in a folder of Claude Code')
    expect(formatFor(lines(...claude), { homes: ['claude-code'] })).toBe(formatById('claude-code'))
  })
})

describe('a history that is larger than the window', () => {
  const body = (model: string, words: number) =>
    json({ model, messages: [{ role: 'user', content: 'Lorem ipsum dolor sit amet. '.repeat(words) }] })
  const found = (input: FileInput) =>
    checkSessionFile(openSessionFile(input)).map(({ rule, severity }) => `${rule} ${severity}`)

  it('is an error with its share of the window', () => {
    const [finding] = checkSessionFile(openSessionFile(body('gpt-4o', 120_000)))
    expect(finding).toMatchObject({ rule: 'larger-than-window', severity: 'error' })
    expect(finding!.message).toMatch(/\d{3} % of the window of gpt-4o \(128000\)/)
  })
  it('is nothing for a model whose window is not known', () => expect(found(body('some-model', 120_000))).toEqual([]))
  it('is a warning where a larger window can be had', () => {
    expect(found(body('claude-sonnet-4-5', 50_000))).toEqual(['larger-than-window warning'])
    expect(found(body('claude-sonnet-4-5', 250_000))).toEqual(['larger-than-window error'])
  })
  it('is nothing if the agent recorded a larger request', () => {
    const text = 'Lorem ipsum dolor sit amet. '.repeat(50_000)
    const usage = { input_tokens: 10, cache_read_input_tokens: 300_000, output_tokens: 5 }
    const [first, second] = claude as [object, { message: object }]
    const large = { ...first, message: { role: 'user', content: text } }
    expect(found(lines(large, second))).toEqual(['larger-than-window warning'])
    expect(found(lines(large, { ...second, message: { ...second.message, usage } }))).toEqual([])
  })
})
