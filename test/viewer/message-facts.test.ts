/** Time, model, usage and cost of messages, from the records of several agents. */
import { describe, expect, it } from 'vitest'
import { recordedUsage } from '../../src/session-files/recorded-usage.ts'
import { costOf, factsOf } from '../../src/viewer/worker/message-facts.ts'
import type { Row } from '../../src/viewer/worker/protocol.ts'
import { Rows } from '../../src/viewer/worker/rows.ts'
import { openFile } from '../../src/viewer/worker/session-file.ts'
import { tokensOf } from '../../src/viewer/worker/token-view.ts'
import { viewOf } from '../../src/viewer/worker/view.ts'

const at = Date.parse('2026-05-01T10:00:00.000Z')

async function opened(name: string, records: readonly unknown[]) {
  const text = records.map((one) => `${JSON.stringify(one)}\n`).join('')
  const document = await openFile(name, Buffer.from(text))
  return viewOf(document, { conversation: 'main', repaired: false })
}

function rowsOf(view: ReturnType<typeof viewOf>): readonly Row[] {
  const rows = new Rows(view)
  return view.lines.map((_, row) => rows.row(row))
}

describe('facts of a record', () => {
  const usage = { input: 110, cached: 10, output: 5 }
  it.each([
    [
      'Claude Code',
      {
        timestamp: '2026-05-01T10:00:00.000Z',
        message: { model: 'm', usage: { input_tokens: 100, cache_read_input_tokens: 10, output_tokens: 5 } },
      },
    ],
    [
      'pi',
      {
        timestamp: '2026-05-01T10:00:00.000Z',
        message: { model: 'm', usage: { input: 100, cacheRead: 10, cacheWrite: 0, output: 5 } },
      },
    ],
    [
      'opencode',
      {
        id: 'x',
        data: JSON.stringify({
          modelID: 'm',
          time: { created: at },
          tokens: { input: 100, output: 5, reasoning: 0, cache: { read: 10, write: 0 } },
        }),
      },
    ],
    [
      'Gemini CLI',
      {
        timestamp: '2026-05-01T10:00:00.000Z',
        model: 'm',
        tokens: { input: 110, cached: 10, output: 3, thoughts: 2, tool: 0, total: 115 },
      },
    ],
    [
      'Qwen Code',
      {
        timestamp: '2026-05-01T10:00:00.000Z',
        model: 'm',
        usageMetadata: {
          promptTokenCount: 110,
          cachedContentTokenCount: 10,
          candidatesTokenCount: 3,
          totalTokenCount: 115,
        },
      },
    ],
    ['seconds', { created_at: at / 1000, model: 'm', usage: { input: 100, cacheRead: 10, output: 5 } }],
  ])('%s', (_, record) => {
    expect(factsOf(record)).toEqual({ at, model: 'm', usage })
  })

  it.each([
    ['nothing', {}],
    ['a number that is no time', { timestamp: 7, created_at: 1e30 }],
    ['a text that is no time', { timestamp: 'yesterday' }],
    ['a model that no provider has', { message: { model: '<synthetic>' } }],
    ['usage of zero', { message: { usage: { input_tokens: 0, output_tokens: 0 } } }],
    ['no object', 'text'],
  ])('%s', (_, record) => {
    expect(factsOf(record)).toEqual({})
  })
})

describe('cost', () => {
  const usage = { input: 1_000_000, cached: 0, output: 1_000_000 }
  it('by the list price of the model, with or without the date of its version', () => {
    expect(costOf({ model: 'claude-opus-4-6', usage })).toBe(30)
    expect(costOf({ model: 'claude-opus-4-1-20250805', usage })).toBe(90)
    expect(costOf({ model: 'gpt-4.1-2025-04-14', usage })).toBe(10)
  })

  it('tokens from a cache, and tokens written to one for five minutes and for an hour, have their own price', () => {
    const message = {
      model: 'claude-opus-4-6',
      usage: {
        input_tokens: 1_000_000,
        cache_read_input_tokens: 1_000_000,
        cache_creation_input_tokens: 2_000_000,
        cache_creation: { ephemeral_5m_input_tokens: 1_000_000, ephemeral_1h_input_tokens: 1_000_000 },
        output_tokens: 0,
      },
    }
    expect(costOf(factsOf({ message }))).toBe(5 + 0.5 + 6.25 + 10)
  })

  it.each([
    ['a model that is not listed', { model: 'claude-opus-9', usage }],
    ['a longer name of a listed model', { model: 'gpt-4.1-turbo', usage }],
    ['a model of a router', { model: 'openrouter/claude-opus-4-6', usage }],
    ['a name that every object has', { model: 'constructor', usage }],
    ['a prompt that has another price', { model: 'claude-sonnet-4-5', usage }],
    ['no usage', { model: 'claude-opus-4-6' }],
    ['no model', { usage }],
  ])('is unknown: %s', (_, facts) => {
    expect(costOf(facts)).toBeUndefined()
  })

  it('the cost that an agent recorded comes first', () => {
    const usage = recordedUsage({ message: { usage: { input: 9, output: 1, cost: { total: 0.5 } } } })
    expect(costOf({ model: 'claude-opus-4-6', usage: usage! })).toBe(0.5)
  })
})

describe('rows', () => {
  const base = {
    sessionId: '5f3c0d5e-0000-4000-8000-000000000001',
    version: '2.1.0',
    cwd: '/repo',
    isSidechain: false,
    userType: 'external',
  }
  const record = (uuid: string, parentUuid: string | null, seconds: number, message: { readonly role: string }) => ({
    ...base,
    ...{ uuid, parentUuid, message, type: message.role },
    timestamp: new Date(at + seconds * 1000).toISOString(),
  })
  const reply = (content: unknown, usage: unknown, model = 'claude-sonnet-4-5') => ({
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model, content, usage },
  })
  const call = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }

  it('a reply of two records has one usage and lasts until its last record; a tool lasts from there', async () => {
    const view = await opened('5f3c0d5e-0000-4000-8000-000000000001.jsonl', [
      record('u1', null, 0, { role: 'user', content: 'Fix it.' } as never),
      record('a1', 'u1', 4, reply([{ type: 'text', text: 'I look.' }], { input_tokens: 1000, output_tokens: 1 })),
      record('a2', 'a1', 6, reply([call], { input_tokens: 1000, output_tokens: 100 })),
      record('u2', 'a2', 9, {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }],
      } as never),
    ])
    const facts = rowsOf(view).map((row) => row.facts)
    expect(facts).toEqual([
      { at },
      {
        at: at + 4000,
        model: 'claude-sonnet-4-5',
        usage: { input: 1000, cached: 0, output: 100 },
        took: 6000,
        cost: 0.0045,
      },
      { at: at + 9000, took: 3000 },
    ])
    expect(tokensOf(view).recorded).toMatchObject({ requests: 1, cost: 0.0045, unpriced: 0 })
  })

  it('a Codex reply has the model of its turn, and the usage that is recorded after its results', async () => {
    const line = (type: string, payload: unknown) => ({ timestamp: new Date(at).toISOString(), type, payload })
    const usage = { input_tokens: 1000, cached_input_tokens: 400, output_tokens: 10, total_tokens: 1010 }
    const view = await opened('rollout-2026-05-01T10-00-00-019a0000-0000-7000-8000-000000000001.jsonl', [
      line('session_meta', {
        id: '019a0000-0000-7000-8000-000000000001',
        timestamp: new Date(at).toISOString(),
        cwd: '/',
        originator: 'codex',
        cli_version: '0.166.0',
      }),
      line('turn_context', { cwd: '/', model: 'gpt-5.1-codex', approval_policy: 'never', summary: 'auto' }),
      line('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look.' }] }),
      line('response_item', { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'call_1' }),
      line('response_item', { type: 'function_call_output', call_id: 'call_1', output: 'ok' }),
      line('event_msg', { type: 'token_count', info: { last_token_usage: usage, total_token_usage: usage } }),
    ])
    const rows = rowsOf(view)
    expect(rows[1]!.facts).toMatchObject({ model: 'gpt-5.1-codex', usage: { input: 1000, cached: 400, output: 10 } })
    expect(rows[1]!.facts!.cost).toBeCloseTo((600 * 1.25 + 400 * 0.125 + 10 * 10) / 1e6, 12)
    expect(rows[0]!.facts).toEqual({ at })
    expect(rows[2]!.facts).not.toHaveProperty('usage')
  })

  it('a model without a price has an unknown cost, and the sum says for how many replies', async () => {
    const view = await opened('5f3c0d5e-0000-4000-8000-000000000001.jsonl', [
      record('u1', null, 0, { role: 'user', content: 'Fix it.' } as never),
      record(
        'a1',
        'u1',
        1,
        reply([{ type: 'text', text: 'Done.' }], { input_tokens: 9, output_tokens: 1 }, 'claude-next-1'),
      ),
    ])
    expect(rowsOf(view)[1]!.facts!.cost).toBeNull()
    expect(tokensOf(view).recorded).toMatchObject({ requests: 1, cost: 0, unpriced: 1 })
  })

  it('a history without times and models has no facts', async () => {
    const document = await openFile('x.json', Buffer.from(JSON.stringify([{ role: 'user', content: 'hi' }])))
    expect(rowsOf(viewOf(document, { conversation: 'main', repaired: false }))[0]!.facts).toBeUndefined()
  })
})
