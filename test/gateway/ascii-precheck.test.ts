/**
 * A body that is valid when it is parsed as latin1 is valid when it is parsed as UTF-8: nothing that rules check is
 * lost by reading it wrong.
 */
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { parseForPrecheck } from '../../src/gateway/http/ascii-precheck.ts'
import { lint } from '../../src/index.ts'
import { brokenHistory, validHistory } from '../../src/testing/index.ts'
import { inFrontOf } from './start-gateway.ts'

const SEED = 20261116
const KINDS = [
  ['openai', 'openai-chat', 'messages'],
  ['anthropic', 'anthropic-messages', 'messages'],
  ['mistral', 'openai-chat', 'messages'],
  ['gemini', 'gemini', 'contents'],
  ['bedrock', 'bedrock-converse', 'messages'],
  ['openai', 'openai-responses', 'input'],
] as const
/** What becomes of a text: letters of two, three and four bytes, and blanks of every kind, between others and alone. */
const WRITINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace(/[aeiou]/g, 'à'),
  (text) => `${text} 漢字 🙂`,
  (text) => `${text}à`,
  (text) => `${text}\u00a0`,
  () => '\u00a0',
  () => '\u3000\n',
  () => '\u2003\u2028',
  () => '\ufeff',
  () => '\u1680\u205f',
]
const SPOKEN = new Set(['content', 'text', 'output', 'arguments', 'name'])

function written(value: unknown, way: (text: string) => string, key = ''): unknown {
  if (typeof value === 'string') return SPOKEN.has(key) ? way(value) : value
  if (Array.isArray(value)) return value.map((one) => written(one, way, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, written(one, way, name)]))
}

describe(`seed ${SEED}`, () => {
  it.each(KINDS)('%s, %s: valid for the precheck is valid', (provider, dialect, key) => {
    let checked = 0
    const history = fc.oneof(validHistory(dialect), brokenHistory(dialect))
    const check = (messages: readonly unknown[], place: number, way: (text: string) => string) => {
      const one = messages.map((message, i) => (i === place % messages.length ? written(message, way) : message))
      const body = { model: 'm', [key]: one, user: 'ü' }
      const seen = parseForPrecheck(Buffer.from(JSON.stringify(body)))
      if (!seen || lint(seen, { provider, dialect }).length > 0) return
      checked++
      expect(lint(body, { provider, dialect })).toEqual([])
    }
    const property = fc.property(history, fc.nat(50), fc.constantFrom(...WRITINGS), check)
    fc.assert(property, { seed: SEED, numRuns: 600 })
    expect(checked).toBeGreaterThan(20)
  })
})

describe('what the precheck does not decide', () => {
  it.each([
    ['ASCII, which is read as quickly in full', '{"messages":[]}'],
    ['a blank beyond ASCII', '{"content":"é\u00a0"}'],
    ['one that crosses two blocks', `{"content":"${'x'.repeat(2035)}\u3000"}`],
    ['a byte order mark', '\ufeff{"content":"é"}'],
    ['a list', '["é"]'],
    ['half a body', '{"content":"é"'],
  ])('%s', (_name, text) => expect(parseForPrecheck(Buffer.from(text))).toBeUndefined())
})

describe('through a gateway', async () => {
  const got: string[] = []
  const gateway = await inFrontOf((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece) => pieces.push(piece))
    request.on('end', () => {
      got.push(Buffer.concat(pieces).toString())
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"choices":[{"index":0,"message":{"role":"assistant","content":"é"},"finish_reason":"stop"}]}')
    })
  })
  afterAll(() => gateway.close())
  const ask = (body: string) => fetch(`${gateway.url}/own/v1/chat/completions`, { method: 'POST', body })
  const lost = { role: 'tool', tool_call_id: 'x', content: 'draußen 漢字 🙂' }
  const message = { role: 'user', content: 'Grüße' }

  it('valid bodies pass unchanged, repaired ones keep every character', async () => {
    const valid = JSON.stringify({ model: 'm', messages: [message] })
    const broken = JSON.stringify({ model: 'm', messages: [lost, message] })
    for (const body of [valid, broken, broken, valid, valid]) expect((await ask(body)).status).toBe(200)
    expect([got[0], got[3], got[4]]).toEqual([valid, valid, valid])
    expect(got[1]).toBe(got[2])
    const { messages } = JSON.parse(got[1]!) as { messages: { role: string; content: string }[] }
    expect(messages.map(({ role }) => role)).toEqual(['user', 'user'])
    expect(messages[0]!.content).toContain('draußen 漢字 🙂')
    expect(got[1]).toContain(JSON.stringify(message))
  })
})
