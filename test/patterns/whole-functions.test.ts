/**
 * Whole functions on the inputs that stopped the gateway, and on others of their kind: each at a size and at four times
 * that size.
 */
import { describe, expect, it } from 'vitest'
import { explain, guard } from '../../src/guard/index.ts'
import { lint, repair } from '../../src/index.ts'
import { type Sizes, superlinear } from '../growth/measure.ts'

const sizes: Sizes = { smallest: 1024, largest: 4096, judgedFrom: 16_384 }
const history = [{ role: 'user', content: 'hello' }]

describe('a model name of any length takes linear time', () => {
  const names = ['claude-', 'claude-a-', 'gpt-3', 'gemini-', '1', 'anthropic/', 'claude', '-', 'deepseek-v', 'o1/']
  const providers = ['anthropic', 'openai', 'bedrock', 'vertex', 'openrouter', 'strictest'] as const

  it.each(names)('%s, many times', (name) => {
    for (const provider of providers) {
      const problem = superlinear((size) => {
        const model = name.repeat(size)
        return () => [lint(history, { provider, model }), repair(history, { provider, model })]
      }, sizes)
      expect(problem, provider).toBeUndefined()
    }
  })

  it('in a guarded request', async () => {
    const reply = Response.json({ content: [] })
    const guarded = guard({ fetch: async () => reply.clone() })
    const body = (size: number): string =>
      JSON.stringify({ model: 'claude-'.repeat(size), max_tokens: 1, messages: history })
    for (const size of [1000, 15_000]) {
      const response = await guarded('https://api.anthropic.com/v1/messages', { method: 'POST', body: body(size) })
      expect(response.status).toBe(200)
    }
  })
})

describe('an error body of any content takes linear time', () => {
  const units = [
    '\\',
    '\\"',
    "'",
    '"',
    '{',
    '[',
    '{"',
    "{'",
    '["',
    '[{',
    '<',
    '<script',
    '<html><script>',
    '</script>',
    '(request id',
    '1',
    '1,111',
    'exceed',
    'tokens ',
    'violat',
    'a.',
    '.',
    '`',
    ' ',
    '\n',
    'data: \n',
    'event: a\n',
    '{"a":1}',
    '{"error":"x"}',
    '{"code":1}',
    '"loc":[',
    '"loc":["messages",1',
    '"messages",1,"a',
    "{'a':'b\\'",
    'No tool output found for a',
    'messages.1.content.1.a.',
    'Supported values are:',
    'thinking block',
    'thinking block bound to a different conversation',
    'wait 1s ',
    'retry ',
    'max_tokens ',
    'model ',
    'context length ',
    'Request too large for ',
    '[a] ',
    ': ',
  ]
  const wraps: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => `{"error":{"message":"a ${text}`,
    (text) => `{"error":{"message":${JSON.stringify(text)}}}`,
    (text) => `{'error': '${text}'}`,
    (text) =>
      `{"error":{"type":${JSON.stringify(text)},"param":${JSON.stringify(text)},"retry_after":${JSON.stringify(text)}}}`,
    (text) =>
      JSON.stringify({ error: { message: JSON.stringify({ error: { message: JSON.stringify({ detail: text }) } }) } }),
  ]

  it.each(units)('%j, many times', (unit) => {
    for (const wrap of wraps) {
      const problem = superlinear((size) => {
        const body = wrap(unit.repeat(Math.ceil(size / unit.length)))
        return () => explain(body)
      }, sizes)
      expect(problem, wrap('…')).toBeUndefined()
    }
  })
})
