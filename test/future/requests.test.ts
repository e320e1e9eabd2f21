/**
 * Requests of tomorrow: valid ones with something that no provider has today. The guard sends the same bytes, and lint
 * reports no error, since nothing proves a fault. With a real fault beside it, the fault is repaired after a rejection.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Dialect, Transcript } from '../../src/core/index.ts'
import { guard } from '../../src/guard/index.ts'
import { dialects } from '../../src/index.ts'
import { validHistory } from '../../src/testing/index.ts'
import { endpoints, mains } from '../dialect-table.ts'
import { runsOf } from '../long-runs.ts'
import { lint } from '../untyped-api.ts'
import { additions, Dice, type Request, replacements } from './inventions.ts'

const seed = Number(process.env['SUTURE_SEED'] ?? 20261120)
/** Valid histories of each dialect; each is tried with every invention. */
const bases = runsOf(400, 3000)

const urls: Readonly<Record<string, string>> = {
  'openai-chat': 'https://api.openai.com/v1/chat/completions',
  'openai-responses': 'https://api.openai.com/v1/responses',
  'anthropic-messages': 'https://api.anthropic.com/v1/messages',
  gemini: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent',
  'bedrock-converse': 'https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-v2/converse',
}
const wired = dialects.filter(({ id }) => Object.hasOwn(endpoints, id))
let tried = 0

function requestOf(history: readonly unknown[], dialect: Dialect): Request {
  const inBody = dialect.id === 'gemini' || dialect.id === 'bedrock-converse' ? {} : { model: 'a-model' }
  const tools = dialect.id === 'bedrock-converse' ? { toolConfig: { tools: [] } } : {}
  const request = { body: { ...inBody, ...tools, [dialect.key]: history }, headers: { authorization: 'Bearer x' } }
  return dialect.id === 'anthropic-messages' ? { ...request, body: { ...request.body, max_tokens: 9 } } : request
}

/** What the guard sends; the rejections come first, then an empty answer. */
async function sentFor(
  { body, headers }: Request,
  dialect: Dialect,
  rejections: readonly string[] = [],
): Promise<string[]> {
  const sent: string[] = []
  const ask = guard({
    wait: async () => {},
    fetch: async (_input, init) => {
      sent.push(await new Response(init!.body).text())
      const text = rejections[sent.length - 1]
      return new Response(text ?? '{}', {
        status: text === undefined ? 200 : 400,
        headers: { 'content-type': 'application/json' },
      })
    },
  })
  await ask(urls[dialect.id]!, { method: 'POST', headers, body: JSON.stringify(body) })
  return sent
}

function validHistories(dialect: Dialect): readonly (readonly unknown[])[] {
  const all = fc.sample(validHistory(dialect.id), { numRuns: bases, seed })
  return all.filter((history) => history.length > 0)
}

function errorsIn({ body }: Request, dialect: Dialect): readonly string[] {
  const found = lint(body, { provider: mains[dialect.id]!, dialect: dialect.id })
  return found.flatMap(({ rule, severity, message }) => (severity === 'error' ? [`${rule}: ${message}`] : []))
}

describe.each(wired.map((dialect) => [dialect.id, dialect] as const))('%s', (_id, dialect) => {
  const histories = validHistories(dialect)

  it.each(Object.entries({ ...additions, ...replacements }))('%s: same bytes, no error', async (name, change) => {
    const dice = new Dice(seed + name.length)
    for (const history of histories) {
      const ids = new Transcript(history, dialect).calls.flatMap(({ id }) => id ?? [])
      const request = change(requestOf(history, dialect), dialect, dice, ids)
      if (!request) continue
      tried++
      const body = JSON.stringify(request.body)
      expect(await sentFor(request, dialect), body).toEqual([body])
      // Headers are not seen by lint.
      if (request.headers['authorization'] && Object.keys(request.headers).length === 1)
        expect([...errorsIn(request, dialect), body]).toEqual([body])
    }
  })
})

it('tries at least 20,000 requests', () => expect(tried).toBeGreaterThan(20_000))
