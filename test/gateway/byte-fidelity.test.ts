/**
 * What came as bytes goes out as those bytes, through sessions, too: numbers, escapes, order of keys and space of every
 * message and of the rest of the body; and numbers of stored replies.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/session.ts'
import { inFrontOf } from './start-gateway.ts'

const ODD = ['9007199254740993', '12345678901234567890', '1e400', '-1E+400', '1.0', '-0', '0.10', '1e21']
const seen: string[] = []
let answer: { readonly type: string; readonly body: string }
const gateway = await inFrontOf(upstream, { store: memoryStore() })
afterAll(() => gateway.close())

async function upstream(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  seen.push(Buffer.concat(pieces).toString())
  response.writeHead(200, { 'content-type': answer.type }).end(answer.body)
}

const json = (body: string) => ({ type: 'application/json', body })
const CHAT = json('{"choices":[{"index":0,"message":{"role":"assistant","content":"Yes."},"finish_reason":"stop"}]}')
const CLAUDE = json(
  '{"type":"message","role":"assistant","content":[{"type":"text","text":"Yes."}],"stop_reason":"end_turn"}',
)

let sessions = 0
const newId = () => `spelled-${++sessions}`

/** What the upstream gets. */
async function sent(path: string, id: string, body: string, mode = 'append'): Promise<string> {
  const response = await fetch(`${gateway.url}/own${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'suture-session': id, 'suture-mode': mode },
    body,
  })
  const text = await response.text()
  expect([response.status, response.headers.get('suture-warning')], text).toEqual([200, null])
  await gateway.logged()
  return seen.at(-1)!
}

async function api(id: string, what: string): Promise<string> {
  return (await fetch(`${gateway.url}/suture/v1/sessions/${id}${what}`)).text()
}

const claude = (messages: string, more = '') =>
  `{"model":"claude-sonnet-4-5","max_tokens":9${more},"messages":[${messages}]}`
const USE = (input: string) =>
  `{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":${input}}]}`
const RESULT = '{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"}]}'

describe.each(ODD)('%s', (number) => {
  const input = `{"n":${number},"in":[{"x": ${number}}]}`

  it('in messages and other fields, in append mode', async () => {
    answer = CLAUDE
    const id = newId()
    const ask = '{"role":"user","content":"Hi"}'
    const tools = `,"tools":[{"name":"f","input_schema":{"type":"object","properties":{"n":{"maximum":${number}}}}}]`
    const first = claude(`${ask},${USE(input)},${RESULT}`, tools)
    expect(await sent('/v1/messages', id, first)).toBe(first)
    const again = claude(ask, tools)
    const assistant = '{"role":"assistant","content":[{"type":"text","text":"Yes."}]}'
    expect(await sent('/v1/messages', id, again)).toBe(
      claude(`${ask},${USE(input)},${RESULT},${assistant},${ask}`, tools),
    )
    for (const what of ['/history', '?size=100'])
      expect(await api(id, what)).toContain(`"n":${number},"in":[{"x":${number}}]`)
  })

  it('in a message that has to be repaired, in every mode', async () => {
    answer = CLAUDE
    // The call has no result, and the orphan before it becomes a note: both messages are changed.
    const orphan = '{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_9","content":"lost"}]}'
    const body = claude(`{"role":"user","content":"Hi"},${USE(input)},${orphan}`)
    for (const mode of ['append', 'record', 'pass'])
      expect(await sent('/v1/messages', newId(), body, mode)).toContain(input)
  })

  it('in a result that is moved, in every mode', async () => {
    answer = json(
      '{"candidates":[{"content":{"role":"model","parts":[{"text":"Yes."}]},"finishReason":"STOP","index":0}]}',
    )
    const part = (what: string) => `{"role":"user","parts":[${what}]}`
    const call = `{"role":"model","parts":[{"functionCall":{"name":"f","args":${input}}}]}`
    const result = `{"functionResponse":{"name":"f","response":${input}}}`
    const body = `{"contents":[${part('{"text":"Hi"}')},${call},${part('{"text":"Wait."}')},${part(result)}]}`
    for (const mode of ['append', 'record', 'pass']) {
      const text = await sent('/v1beta/models/gemini-2.5-flash:generateContent', newId(), body, mode)
      expect(text.replaceAll(' ', '').split(`"n":${number},"in":[{"x":${number}}]`).length, text).toBe(3)
    }
  })

  it.each([
    [
      'Messages',
      CLAUDE.type,
      `{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":${input}}],"stop_reason":"tool_use"}`,
    ],
    [
      'Messages, streamed',
      'text/event-stream',
      [
        '{"type":"message_start","message":{"id":"m","role":"assistant","content":[]}}',
        '{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}',
        `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":${JSON.stringify(input)}}}`,
        '{"type":"content_block_stop","index":0}',
        '{"type":"message_delta","delta":{"stop_reason":"tool_use"}}',
        '{"type":"message_stop"}',
      ]
        .map((data) => `event: ${JSON.parse(data).type}\ndata: ${data}\n\n`)
        .join(''),
    ],
  ])('in a stored reply: %s', async (_name, type, body) => {
    const id = newId()
    answer = { type, body }
    await sent(
      '/v1/messages',
      id,
      claude('{"role":"user","content":"Hi"}', type.startsWith('text') ? ',"stream":true' : ''),
    )
    answer = CLAUDE
    const result = '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}'
    const text = await sent('/v1/messages', id, claude(result))
    expect(text).toContain(`"input":{"n":${number},"in":[{"x":${number}}]}`)
  })

  it.each(['generateContent', 'streamGenerateContent?alt=sse'])('in a stored reply: Gemini, %s', async (way) => {
    const id = newId()
    const path = `/v1beta/models/gemini-2.5-flash:${way}`
    const content = `{"role":"model","parts":[{"functionCall":{"name":"f","args":${input}}}]}`
    const body = `{"candidates":[{"content":${content},"finishReason":"STOP","index":0}]}`
    answer = way.includes('sse') ? { type: 'text/event-stream', body: `data: ${body}\n\n` } : json(body)
    await sent(path, id, '{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}')
    const result = '{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"ok":true}}}]}'
    expect(await sent(path, id, `{"contents":[${result}]}`)).toContain(`"args":{"n":${number},"in":[{"x":${number}}]}`)
  })
})

describe('any JSON text of a message', () => {
  const space = fc.constantFrom('', ' ', '\n', '\t ')
  const number = fc.oneof(fc.constantFrom(...ODD), fc.integer().map(String))
  const string = fc.oneof(
    fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
    fc.constantFrom(
      '"\\u0041\\/\\ud83d\\ude00"',
      '"\\u00e9"',
      '"1.0"',
      '"\\\\\\""',
      '"\\ud83d\\ude00"',
      '"[DONE]"',
      '"\u007f"',
    ),
  )
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      number,
      string,
      fc.constantFrom('true', 'null'),
      fc.tuple(space, fc.array(tie('value'), { maxLength: 3 })).map(([gap, all]) => `[${gap}${all.join(`${gap},`)}]`),
      fc
        .tuple(
          space,
          fc.array(fc.tuple(fc.oneof(string, fc.constantFrom('"2"', '"1"', '"a"', '"__proto__"')), tie('value')), {
            maxLength: 3,
          }),
        )
        .map(([gap, all]) => `{${gap}${all.map(([key, one]) => `${key}${gap}:${one}`).join(`,${gap}`)}}`),
    ),
  }))

  it('is sent unchanged, in its own request and in the next one', async () => {
    answer = CHAT
    const property = fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 3 }), value, async (args, more) => {
      const id = newId()
      const messages = args.map((one, i) => `{ "content":"turn ${i}", "role" :"user","x":${one}}`)
      const body = (list: readonly string[]) =>
        `{"model": "gpt-4o","x":${more}, "messages" : [${list.join()}] , "seed":1.0}`
      const first = await sent('/v1/chat/completions', id, body(messages))
      for (const one of messages) expect(first).toContain(one)
      expect(first.startsWith(`{"model": "gpt-4o","x":${more}, "messages" : [`)).toBe(true)
      expect(first.endsWith('] , "seed":1.0}')).toBe(true)
      const next = await sent('/v1/chat/completions', id, body(['{"role":"user","content":"On."}']))
      for (const one of messages) expect(next).toContain(one)
    })
    await fc.assert(property, { numRuns: 60 })
  })

  it('a recorded session keeps it, too', async () => {
    answer = CHAT
    const message = '{ "role":"user", "content":"Hi", "n":12345678901234567890, "b":{"2":1.0,"1":2} }'
    const id = newId()
    const body = `{"model":"gpt-4o","messages":[${message}]}`
    expect(await sent('/v1/chat/completions', id, body, 'record')).toBe(body)
    const { records } = JSON.parse(await api(id, '/export')) as { records: { body: string }[] }
    expect(records.some((record) => record.body.includes(message))).toBe(true)
    expect(
      await sent('/v1/chat/completions', id, '{"model":"gpt-4o","messages":[{"role":"user","content":"On."}]}'),
    ).toContain(message)
    const forked = newId()
    const fork = { method: 'POST', body: JSON.stringify({ id: forked }) }
    expect((await fetch(`${gateway.url}/suture/v1/sessions/${id}/fork`, fork)).status).toBe(200)
    expect(
      await sent('/v1/chat/completions', forked, '{"model":"gpt-4o","messages":[{"role":"user","content":"On."}]}'),
    ).toContain(message)
    expect(JSON.parse(await api(forked, '/verify'))).toMatchObject({ valid: true })
  })

  it('a repeated key in the body: the last one counts', async () => {
    answer = CHAT
    const message = '{"role":"user","content":"Hi","n":1.0}'
    const body = `{"model":"gpt-4o","seed":2.0,"messages":[],"messages":[${message}]}`
    const text = await sent('/v1/chat/completions', newId(), body)
    expect(text).toBe(`{"model":"gpt-4o","seed":2.0,"messages":[${message}]}`)
  })
})
