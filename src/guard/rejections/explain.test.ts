import { existsSync, readFileSync } from 'node:fs'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { generateText } from 'ai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { SutureError } from '../../core/index.ts'
import { rules } from '../../rules/index.ts'
import { classDescriptions } from './class-descriptions.ts'
import { explain } from './index.ts'
import { meanings } from './lexicon.ts'
import { rowsOf } from './meaning.ts'

describe('an error text explained', () => {
  it('leads to its rule, its page and its repair', () => {
    const body = '{"error":{"message":"No tool output found for function call call_abc.","param":"input"}}'
    expect(explain(body)).toEqual({
      kind: 'history',
      confidence: 'certain',
      rule: 'tool-result-missing',
      summary: expect.stringMatching(/./),
      why: expect.stringMatching(/./),
      fix: expect.stringContaining('repair(body'),
      link: 'node_modules/suture/docs/rules/tool-result-missing.md',
      texts: 'node_modules/suture/docs/rejections.md#rule-tool-result-missing',
      ids: ['call_abc'],
    })
  })

  it('reads sizes', () => {
    const explained = explain('prompt is too long: 213462 tokens > 200000 maximum')
    expect(explained).toMatchObject({ kind: 'size', rule: 'prompt-too-long', limit: 200000, actual: 213462 })
    expect(explained.fix).toContain('guard({ recovery: { dropRounds: true } })')
  })

  it.each([
    ['Overloaded', 'overloaded', /waits/],
    ['invalid x-api-key', 'auth', /returns the error unchanged/],
    ['Failed to call a function. Please adjust your prompt.', 'model-tool-call-failed', /sends the same request again/],
    ['Request contains an invalid argument.', 'invalid-argument-opaque', /lints the request/],
    [
      "Invalid 'tools': array too long. Expected an array with maximum length 128",
      'tools-too-many',
      /other fields of the request/,
    ],
  ])('%s', (text, rule, repairs) => {
    expect(explain(text)).toMatchObject({ rule, fix: expect.stringMatching(repairs) })
  })

  it.each([
    ['a status', '400 Improperly formed request.'],
    ['an exception and places in code', 'BadRequestError: 400 Improperly formed request.\n    at f (/app/x.js:1:2)'],
    [
      'google-genai',
      "google.genai.errors.ClientError: 400 INVALID_ARGUMENT. {'error': {'code': 400, 'message': 'Request contains an invalid argument.', 'status': 'INVALID_ARGUMENT'}}",
    ],
    [
      'LiteLLM',
      'litellm.BadRequestError: VertexAIException - {"error":{"code":400,"message":"Request contains an invalid argument."}}. Received Model Group=g',
    ],
    [
      'boto',
      'An error occurred (ValidationException) when calling the Converse operation: The model returned the following errors: Improperly formed request.',
    ],
  ])('a text that names no cause, after %s', (_name, text) => {
    expect(explain(text)).toMatchObject({ rule: 'invalid-argument-opaque' })
  })

  const MISSING =
    'messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01A. Each `tool_use` block'
  it.each([
    ['single quotes', MISSING.replaceAll('`', "'")],
    ['double quotes', MISSING.replaceAll('`', '"')],
    ['typographic quotes', MISSING.replaceAll('`', '\u2019')],
    ['entities', MISSING.replaceAll('`', '&#96;')],
    ['none', MISSING.replaceAll('`', '')],
    ['a body copied from a page', JSON.stringify({ error: { message: MISSING } }).replaceAll('"', '&quot;')],
    [
      'typographic double quotes inside JSON',
      JSON.stringify({ error: { message: `\u201cA\u201d &quot;B&quot; ${MISSING}` }, input: 'prompt is too long' }),
    ],
  ])('a text with other quotes: %s', (_name, text) => {
    expect(explain(text)).toMatchObject({ rule: 'tool-result-missing', ids: ['toolu_01A'], message: 3 })
  })

  it.each([
    [
      'Failed to parse tool call arguments as JSON',
      'litellm.BadRequestError: GroqException - Failed to parse tool call arguments as JSON',
    ],
    ['requested tool does not exist', 'The model returned the following errors: requested tool does not exist'],
  ])('%s: the same with the words of a relay before it', (text, wrapped) => {
    expect(explain(wrapped).rule).toBe(explain(text).rule)
  })

  it('a word that ends like a parameter is not one', () => {
    expect(explain('The content in the previous turn must be first.').kind).toBe('unknown')
  })

  it('reports an unknown text, with the next step', () => {
    expect(explain('The moon is in the wrong house.')).toMatchObject({
      kind: 'unknown',
      fix: expect.stringContaining('lint(body'),
    })
  })

  it('has a page for every rule and a description for every class', () => {
    const root = new URL('../../../', import.meta.url)
    for (const { id: rule } of rules) expect(existsSync(new URL(`docs/rules/${rule}.md`, root)), rule).toBe(true)
    const ids = new Set<string>(rules.map(({ id }) => id))
    for (const name of rowsOf(meanings).map(([name]) => name))
      if (!ids.has(name)) expect(classDescriptions, name).toHaveProperty([name])
  })

  it('names pages that the package ships', () => {
    const root = new URL('../../../', import.meta.url)
    const { name, files } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
    expect(files).toContain('docs')
    const texts = ['?', 'prompt is too long', 'No tool output found for function call call_1.']
    for (const path of texts.map((text) => explain(text)).flatMap(({ link, texts }) => [link, texts])) {
      expect(path.startsWith(`node_modules/${name}/docs/`), path).toBe(true)
      const page = path.replace(`node_modules/${name}/`, '').replace(/#.*/, '')
      expect(existsSync(new URL(page, root)), path).toBe(true)
    }
  })
})

describe('explain takes the error in any form', () => {
  const message = 'No tool output found for function call call_abc.'
  const body = { error: { message, type: 'invalid_request_error', param: 'input', code: null } }

  const answering = async () =>
    new Response(JSON.stringify(body), { status: 400, headers: { 'content-type': 'application/json' } })
  const caught = (ask: () => unknown): Promise<unknown> =>
    Promise.resolve()
      .then(ask)
      .then(
        () => undefined,
        (error: unknown) => error,
      )
  const prompt = [{ role: 'user' as const, content: 'hi' }]

  it.each<[string, () => unknown]>([
    ['a parsed body', async () => body],
    ['an Error of one message', async () => new Error(`400 ${message}`)],
    ['an Error of openai', () => caught(() => openai().chat.completions.create({ model: 'gpt-5', messages: prompt }))],
    [
      'an Error of anthropic',
      () => caught(() => anthropic().messages.create({ model: 'm', max_tokens: 1, messages: prompt })),
    ],
    [
      'an Error of the AI SDK',
      () =>
        caught(() => generateText({ model: createOpenAI({ apiKey: 'k', fetch: answering })('gpt-5'), prompt: 'hi' })),
    ],
    [
      'an Error whose cause has the body',
      async () => new Error('It failed.', { cause: new Error(JSON.stringify(body)) }),
    ],
    [
      'an Error with a response, as axios throws it',
      async () => Object.assign(new Error('Request failed'), { response: { status: 400, data: body } }),
    ],
    [
      'a rejection of a turn',
      async () => new SutureError('rejected', 'openai answered 400', { text: JSON.stringify(body) }),
    ],
  ])('%s', async (_name, make) => {
    expect(explain(await make())).toMatchObject({ rule: 'tool-result-missing', kind: 'history', ids: ['call_abc'] })
  })

  const openai = () => new OpenAI({ apiKey: 'k', maxRetries: 0, fetch: answering })
  const anthropic = () => new Anthropic({ apiKey: 'k', maxRetries: 0, fetch: answering })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 400],
    ['a function', () => {}],
    ['a promise', Promise.resolve('x')],
    ['a Response', new Response('x')],
  ])('%s is wrong use', (_name, value) => {
    expect(() => explain(value)).toThrow(expect.objectContaining({ name: 'SutureError', code: 'bad-option' }))
  })
})
