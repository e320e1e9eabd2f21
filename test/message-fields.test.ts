/**
 * Fields of messages, by provider: which are removed, which are only reported, and which pass. A field that Suture does
 * not know passes: it is a finding only where a rejection of that field by that provider is on record.
 */

import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { contractFetch, judge } from '../contract/index.ts'
import type { GuardEvent } from '../src/guard/index.ts'
import { inFrontOf } from './gateway/start-gateway.ts'
import { guard, lint, type NamedOptions, repair } from './untyped-api.ts'

type Outcome = 'removed' | 'reported' | 'warned' | 'kept'
interface Row {
  readonly to: NamedOptions & { readonly provider: string }
  readonly endpoint: 'messages' | 'responses' | 'chat' | 'gemini' | 'converse'
  /** A history with the field, by the field's name. */
  readonly fields: Readonly<Record<string, readonly [Outcome, readonly object[]]>>
}

const ask = { role: 'user', content: 'go' }
const asked = { type: 'message', role: 'user', content: 'go' }
const withAssistant = (more: object) => [ask, { role: 'assistant', content: 'ok', ...more }, ask]
const block = (one: object) => [ask, { role: 'assistant', content: [one] }, ask]
const item = (one: object) => [asked, one, asked]
const items = (one: object, other: object) => [asked, one, other, asked]
const call = { type: 'function_call', call_id: 'c1', name: 'run', arguments: '{}' }
const output = { type: 'function_call_output', call_id: 'c1', output: 'ok' }
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' }
const answer = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] }
const codex = { internal_chat_message_metadata_passthrough: { content_item_kinds: ['a'] } }
const said3 = (more: object) => [
  { role: 'user', parts: [{ text: 'go' }] },
  { role: 'model', parts: [{ text: 'ok' }], ...more },
  { role: 'user', parts: [{ text: 'go' }] },
]
const part3 = (more: object) => [{ role: 'user', parts: [{ text: 'go', ...more }] }]

const claude: Row['fields'] = {
  'output_config on a system message': [
    'kept',
    [ask, { role: 'system', content: 'be brief', output_config: { effort: 'low' } }],
  ],
  'a new field on a message': ['kept', withAssistant({ field_of_next_year: 1 })],
  'a new field on a text': ['kept', block({ type: 'text', text: 'ok', field_of_next_year: 1 })],
  'a new kind of block': ['kept', block({ type: 'block_of_next_year', data: 1 })],
  'tool_use.caller': [
    'kept',
    [
      ask,
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 't1', name: 'run', input: {}, caller: { type: 'direct' } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok', field_of_next_year: 1 }] },
    ],
  ],
  stop_reason: ['removed', withAssistant({ stop_reason: 'end_turn' })],
  usage: ['removed', withAssistant({ usage: { input_tokens: 1 } })],
  reasoning_details: ['removed', withAssistant({ reasoning_details: [] })],
  reasoning_content: ['removed', withAssistant({ reasoning_content: 'hm' })],
  name: ['removed', [{ ...ask, name: 'Init' }]],
  'text.parsed': ['removed', block({ type: 'text', text: 'ok', parsed: {} })],
  'text.annotations': ['removed', block({ type: 'text', text: 'ok', annotations: null })],
  refusal: ['warned', withAssistant({ refusal: 'no' })],
  // An empty list holds no call that could be lost.
  tool_calls: ['removed', withAssistant({ tool_calls: [] })],
}

const responses: Row['fields'] = {
  'the metadata of Codex on a message': ['kept', [{ ...asked, ...codex }]],
  'the metadata of Codex on a call and its output': ['kept', items({ ...call, ...codex }, { ...output, ...codex })],
  'the metadata of Codex on reasoning': ['kept', items({ ...reasoning, ...codex }, answer)],
  'a new field on an item': ['kept', item({ ...answer, field_of_next_year: 1 })],
  'a new kind of item': ['kept', item({ type: 'item_of_next_year', data: 1 })],
  'reasoning.status': ['removed', items({ ...reasoning, status: 'completed' }, answer)],
  'function_call.parsed_arguments': ['removed', items({ ...call, parsed_arguments: {} }, output)],
  'function_call_output.created_by': ['removed', items(call, { ...output, created_by: 'x' })],
}

const gemini: Row['fields'] = {
  'a new field on a content': ['kept', said3({ fieldOfNextYear: 1 })],
  'a new field on a part': ['kept', part3({ fieldOfNextYear: 1 })],
  'a new kind of part': ['kept', [{ role: 'user', parts: [{ text: 'go' }, { partOfNextYear: {} }] }]],
  'part.type': ['removed', part3({ type: 'text' })],
  'content with the text of the parts': ['removed', said3({ content: 'ok' })],
  'content with a text of its own': ['removed', said3({ content: 'another text' })],
}

const chat: Row['fields'] = {
  'a new field on a message': ['kept', [{ ...ask, field_of_next_year: 1 }]],
  annotations: ['kept', [{ ...ask, annotations: [] }]],
}

const mistral: Row['fields'] = {
  'a new field on a message': ['kept', withAssistant({ field_of_next_year: 1 })],
  'name on a user': ['removed', [{ ...ask, name: 'Ada' }]],
  annotations: ['removed', withAssistant({ annotations: [] })],
}

const converse: Row['fields'] = {
  'a new field on a message': [
    'kept',
    [{ role: 'user', content: [{ text: 'go', fieldOfNextYear: 1 }], fieldOfNextYear: 1 }],
  ],
}

const model = 'claude-sonnet-5'
const rows: readonly Row[] = [
  { to: { provider: 'anthropic', model }, endpoint: 'messages', fields: claude },
  { to: { provider: 'vertex', dialect: 'anthropic-messages', model }, endpoint: 'messages', fields: claude },
  { to: { provider: 'azure', dialect: 'anthropic-messages', model }, endpoint: 'messages', fields: claude },
  { to: { provider: 'openai', dialect: 'openai-responses' }, endpoint: 'responses', fields: responses },
  { to: { provider: 'azure', dialect: 'openai-responses' }, endpoint: 'responses', fields: responses },
  { to: { provider: 'gemini' }, endpoint: 'gemini', fields: gemini },
  { to: { provider: 'vertex', dialect: 'gemini' }, endpoint: 'gemini', fields: gemini },
  { to: { provider: 'mistral' }, endpoint: 'chat', fields: mistral },
  { to: { provider: 'bedrock' }, endpoint: 'converse', fields: converse },
  ...['openai', 'azure', 'deepseek', 'moonshot', 'dashscope', 'zhipu', 'xai', 'groq', 'cerebras', 'perplexity'].map(
    chatRow,
  ),
  { ...chatRow('openrouter'), to: { provider: 'openrouter', dialect: 'openai-chat', model: 'openai/gpt-5' } },
  ...['mimo', 'copilot', 'llamacpp', 'vllm', 'ollama'].map(chatRow),
]

function chatRow(provider: string): Row {
  return { to: { provider, dialect: 'openai-chat' }, endpoint: 'chat', fields: chat }
}

function outcomeOf(history: readonly object[], to: NamedOptions): Outcome {
  const found = lint(history, to).filter(({ rule }) => rule === 'unknown-field')
  const changed = repair(history, to).value !== history
  if (found.length === 0) return 'kept'
  if (changed) return 'removed'
  return found.some(({ severity }) => severity === 'error') ? 'reported' : 'warned'
}

function accepts({ to, endpoint }: Row, history: readonly object[]): boolean {
  const key = { messages: 'messages', chat: 'messages', converse: 'messages', responses: 'input', gemini: 'contents' }[
    endpoint
  ]
  const body = { [key]: history, ...(to.model ? { model: to.model } : {}) }
  return judge({ provider: to.provider, endpoint, body, ...(to.model ? { model: to.model } : {}) }).accepted
}

describe('a field is', () => {
  for (const row of rows) {
    const { provider, dialect } = row.to
    for (const [name, [outcome, history]] of Object.entries(row.fields)) {
      it(`${outcome}: ${name} (${provider}${dialect === undefined ? '' : `, ${dialect}`})`, () => {
        expect(outcomeOf(history, row.to)).toBe(outcome)
        if (outcome === 'kept') {
          expect(lint(history, row.to)).toEqual([])
          expect(repair(history, { ...row.to, strict: true }).value).toBe(history)
        }
        // What the contract rejects is an error here; what it accepts is not.
        expect(accepts(row, history)).toBe(outcome === 'kept' || outcome === 'warned')
        if (outcome === 'removed') expect(accepts(row, repair(history, row.to).value as object[])).toBe(true)
      })
    }
  }
})

it('the text of a removed field is kept', () => {
  const { value } = repair(said3({ content: 'another text' }), { provider: 'gemini' })
  expect(value[1]).toEqual({ role: 'model', parts: [{ text: 'ok' }, { text: 'another text' }] })
})

/** A provider that rejects one field by name, and otherwise does as the contract. */
function rejecting(
  provider: string,
  field: RegExp,
  message: (i: number) => string,
): typeof fetch & { bodies: string[] } {
  const contract = contractFetch({ provider })
  const bodies: string[] = []
  const relay: typeof fetch = async (input, init) => {
    const text = await new Response(init!.body).text()
    bodies.push(text)
    const { messages, input: list } = JSON.parse(text)
    const at = (messages ?? list).findIndex((one: object) => field.test(JSON.stringify(one)))
    if (at < 0) return contract(input, init)
    return Response.json({ error: { message: message(at), type: 'invalid_request_error' } }, { status: 400 })
  }
  return Object.assign(relay, { bodies })
}

const BASE = { anthropic: 'https://api.anthropic.com/v1/messages', openai: 'https://api.openai.com/v1/responses' }

describe('a field that the provider rejects by name', () => {
  const system = { role: 'system', content: 'be brief', output_config: { effort: 'low' } }
  const talk = [ask, { role: 'assistant', content: 'hello', extra_of_ours: 1 }, ask, system]
  const relay = () =>
    rejecting('anthropic', /"output_config"/, (i) => `messages.${i}.output_config: Extra inputs are not permitted`)

  async function twice(history: readonly object[], more: readonly object[]) {
    const upstream = relay()
    const events: GuardEvent[] = []
    const fetch = guard({ fetch: upstream, onEvent: (event) => events.push(event) })
    const send = (messages: readonly object[]) =>
      fetch(BASE.anthropic, { method: 'POST', body: JSON.stringify({ model, max_tokens: 9, messages }) })
    const statuses = [(await send(history)).status, (await send([...history, ...more])).status]
    return { upstream, events, statuses }
  }

  it('is removed, and no other field that is unknown to us', async () => {
    const { upstream, events, statuses } = await twice(talk, [])
    expect(statuses[0]).toBe(200)
    expect(JSON.parse(upstream.bodies[1]!).messages).toEqual([
      ...talk.slice(0, 3),
      { role: 'system', content: 'be brief' },
    ])
    expect(events.find(({ type }) => type === 'recovered')).toMatchObject({
      recovery: 'repair',
      report: { rule: 'unknown-field', fields: ['output_config'] },
    })
  })

  it('is removed from later requests of the conversation, and the event reports it', async () => {
    const { upstream, events, statuses } = await twice(talk, [{ role: 'assistant', content: 'yes' }, ask, system])
    expect(statuses).toEqual([200, 200])
    expect(upstream.bodies).toHaveLength(3)
    expect(upstream.bodies[2]).not.toContain('output_config')
    expect(upstream.bodies[2]).toContain('extra_of_ours')
    const later = events.filter(({ request }) => request === 2)
    expect(later).toMatchObject([{ type: 'shrunk', recovery: 'reapply', report: { fields: ['output_config'] } }])
  })

  it('is named in the log of the gateway, also on a later request', async () => {
    const upstream = relay()
    const running = await inFrontOf(async (request, response) => {
      const init = { method: 'POST', body: await text(request) }
      const answer = await upstream(BASE.anthropic, init)
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
    const send = (messages: readonly object[]) =>
      fetch(`${running.url}/own/v1/messages`, {
        method: 'POST',
        body: JSON.stringify({ model, max_tokens: 9, messages }),
      })
    await (await send(talk)).text()
    await (await send([...talk, { role: 'assistant', content: 'yes' }, ask, system])).text()
    const lines = await running.logged()
    await running.close()
    const [first, second] = lines.filter(({ event }) => event === 'request')
    expect(first).toMatchObject({ status: 200, recoveries: ['repair'], fieldsRemoved: ['output_config'] })
    expect(second).toMatchObject({ status: 200, fieldsRemoved: ['output_config'], fieldsRemovedAgain: true })
  })

  const named: Readonly<Record<string, readonly [message: string, from: object, to: object]>> = {
    'Responses, inside a field': [
      "Unknown parameter: 'input[0].internal_chat_message_metadata_passthrough.content_item_kinds'.",
      { ...asked, ...codex },
      { ...asked, internal_chat_message_metadata_passthrough: {} },
    ],
    'Responses, on an item': [
      "Unknown parameter: 'input[0].field_of_next_year'.",
      { ...asked, field_of_next_year: 1 },
      asked,
    ],
  }
  for (const [name, [message, from, to]] of Object.entries(named)) {
    it(`is found by its path: ${name}`, async () => {
      const field = new RegExp(`"${/(\w+)'\.$/.exec(message)![1]}"`)
      const upstream = rejecting('openai', field, () => message)
      const fetch = guard({ fetch: upstream })
      const body = JSON.stringify({ model: 'gpt-5', input: [from] })
      expect((await fetch(BASE.openai, { method: 'POST', body })).status).toBe(200)
      expect(JSON.parse(upstream.bodies[1]!).input).toEqual([to])
    })
  }

  it('that has content stays, and the caller gets the provider’s error', async () => {
    const upstream = rejecting('anthropic', /"go"/, (i) => `messages.${i}.content: Extra inputs are not permitted`)
    const fetch = guard({ fetch: upstream })
    const body = JSON.stringify({ model, max_tokens: 9, messages: [ask] })
    const response = await fetch(BASE.anthropic, { method: 'POST', body })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { message: 'messages.0.content: Extra inputs are not permitted' },
    })
    expect(new Set(upstream.bodies)).toEqual(new Set([body]))
  })
})
