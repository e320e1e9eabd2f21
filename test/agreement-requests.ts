/**
 * Requests to hold two opinions on: random histories with the settings around them, and requests of the emulators' own
 * tables that were damaged at random.
 */
import fc from 'fast-check'
import { tables } from '../contract/testing/cases/index.ts'
import { brokenHistory, validHistory } from '../src/testing/arbitraries.ts'
import { Tape } from '../src/testing/shapes/tape.ts'
import type { Request, Seat } from './agreement.ts'
import { endpoints } from './dialect-table.ts'

type Json = Record<string, unknown>

/** Fields of a request outside the history that rules read: tools, thinking, cache marks, what the provider stores. */
const settings: Readonly<Record<string, readonly Readonly<Json>[]>> = {
  'openai-chat': [
    {},
    { thinking: { type: 'enabled' } },
    { chat_template_kwargs: { enable_thinking: true } },
    { tools: [{ type: 'function', function: { name: 'weather', parameters: {} } }] },
    { tools: [{ type: 'function', function: { name: 'my.weather', parameters: {} } }] },
  ],
  'openai-responses': [{}, { store: false }, { thinking: { type: 'enabled' } }, { previous_response_id: 'resp_1' }],
  'anthropic-messages': [
    {},
    { thinking: { type: 'enabled', budget_tokens: 1024 } },
    { thinking: { type: 'disabled' } },
    { system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }] },
    { tools: [{ name: 'weather', input_schema: { type: 'object' }, cache_control: { type: 'ephemeral', ttl: '1h' } }] },
  ],
  gemini: [
    {},
    { tools: [{ functionDeclarations: [{ name: 'weather' }] }] },
    { tools: [{ functionDeclarations: [{ name: 'my weather' }] }] },
  ],
  'bedrock-converse': [
    {},
    { toolConfig: { tools: [{ toolSpec: { name: 'weather', inputSchema: { json: {} } } }] } },
    { toolConfig: { tools: [{ toolSpec: { name: 'my.weather', inputSchema: { json: {} } } }] } },
    { toolConfig: { tools: [] }, additionalModelRequestFields: { thinking: { type: 'enabled' } } },
  ],
}

/** Valid and broken histories, as repair is tested with. */
export function randomRequests({ provider, dialect, key, models }: Seat): fc.Arbitrary<Request> {
  const history = fc.oneof({ weight: 9, arbitrary: brokenHistory(dialect) }, validHistory(dialect))
  return fc
    .tuple(history, fc.constantFrom(...models), fc.constantFrom(...settings[dialect]!))
    .map(([list, model, around]) => ({ provider, dialect, model, body: { model, [key]: list, ...around } }))
}

/** Each request is sent to all providers with that dialect, whatever table it is in. */
const own: Readonly<Record<string, string>> = {
  anthropic: 'messages',
  'openai-responses': 'responses',
  gemini: 'gemini',
  vertex: 'gemini',
  bedrock: 'converse',
}

/** Requests from the emulators' tables, with up to four things done to them that no conversation does. */
export function damagedRequests({ provider, dialect, key, models }: Seat): fc.Arbitrary<Request> {
  const bodies = Object.values(tables)
    .filter(({ to }) => (to.endpoint ?? own[to.provider] ?? 'chat') === endpoints[dialect])
    .flatMap(({ accepted, rejected }) => [...Object.values(accepted), ...Object.values(rejected).map(([body]) => body)])
    .filter((body) => Array.isArray((body as Json)[key])) as Json[]
  return fc
    .tuple(fc.uint16Array({ maxLength: 60, size: 'max' }), fc.constantFrom(...models))
    .map(([numbers, model]) => {
      const tape = new Tape(numbers)
      const { model: _named, ...body } = structuredClone(tape.pick(bodies))
      const list = body[key] as unknown[]
      for (let times = tape.upTo(4); times >= 0 && list.length > 0; times--) damage(list, bodies, key, tape)
      return { provider, dialect, model, body: { model, ...body } }
    })
}

const odd: readonly unknown[] = [null, '', ' ', [], {}, 7, true, 'x', 'user', 'assistant', 'tool', 'model', 'IDa']
const keys = ['extra', 'id', 'name', 'content', 'type']

function damage(list: unknown[], bodies: readonly Json[], key: string, tape: Tape): void {
  const at = tape.upTo(list.length)
  const way = tape.upTo(8)
  if (way === 0) list.splice(at, 1)
  else if (way === 1) list.splice(at, 0, structuredClone(list[at]))
  else if (way === 2) list.splice(at, 0, ...(structuredClone(tape.pick(bodies)[key]) as unknown[]).slice(0, 3))
  else if (way === 3) list.push(...list.splice(at, 1))
  else damageWithin(list, at, tape)
}

/** Somewhere below a message: a value goes, becomes another one, comes twice or gets another name. */
function damageWithin(list: unknown[], from: number, tape: Tape): void {
  let holder: Json | unknown[] = list
  let at = String(from)
  for (let depth = tape.upTo(6); depth > 0; depth--) {
    const inner: unknown = (holder as Json)[at]
    const names = typeof inner === 'object' && inner !== null ? Object.keys(inner) : []
    if (names.length === 0) break
    holder = inner as Json
    at = tape.pick(names)
  }
  const value = (holder as Json)[at]
  const way = tape.upTo(4)
  if (way > 1) (holder as Json)[at] = structuredClone(tape.pick(odd))
  else if (Array.isArray(holder))
    holder.splice(Number(at), way === 0 ? 1 : 0, ...(way === 0 ? [] : [structuredClone(value)]))
  else {
    delete holder[at]
    if (way === 1) holder[tape.pick(keys)] = value
  }
}
