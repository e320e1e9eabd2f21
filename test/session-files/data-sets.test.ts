/**
 * Files with many histories or request bodies: each dialect, one on each line or all in a JSON list. Each conversation
 * is read in its own dialect, has an id of its own, and is repaired.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dataSetFormat, LARGE } from '../../src/cli/histories/data-set.ts'
import { checkSessionFile, openSessionFile, planRepair, recognize } from '../../src/session-files/index.ts'

type Body = Readonly<Record<string, unknown>>

const ask = { role: 'user', content: 'Hi' }
const bodies: Readonly<Record<string, Body>> = {
  'openai-chat': {
    model: 'gpt-4o',
    messages: [
      ask,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      ask,
    ],
  },
  'anthropic-messages': {
    model: 'claude-sonnet-4-5',
    messages: [ask, { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: {} }] }, ask],
  },
  'openai-responses': {
    model: 'gpt-5',
    input: [ask, { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' }, ask],
  },
  gemini: {
    contents: [
      { role: 'user', parts: [{ text: 'Hi' }] },
      { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
      { role: 'user', parts: [{ text: 'And?' }] },
    ],
  },
  'bedrock-converse': {
    messages: [
      { role: 'user', content: [{ text: 'Hi' }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'f', input: {} } }] },
      { role: 'user', content: [{ text: 'And?' }] },
    ],
  },
  'ai-sdk': {
    messages: [
      ask,
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'f', input: {} }] },
      ask,
    ],
  },
}

const listOf = ({ messages, contents, input }: Body) => messages ?? contents ?? input
const withoutModel = ({ model: _, ...rest }: Body) => rest
const lines = (values: readonly unknown[]) => values.map((one) => `${JSON.stringify(one)}\n`).join('')
const three = <T>(one: T) => [one, one, one]

const shapes: Readonly<Record<string, (body: Body) => string>> = {
  'a body on each line': (body) => lines(three(body)),
  'a body without a model on each line': (body) => lines(three(withoutModel(body))),
  'a list on each line': (body) => lines(three(listOf(body))),
  'a list on each line, with a byte order mark': (body) => `\ufeff${lines(three(listOf(body)))}`,
  'a list of bodies': (body) => JSON.stringify(three(body)),
  'a list of bodies, indented': (body) => JSON.stringify(three(body), null, 2),
  'a list of lists': (body) => JSON.stringify(three(listOf(body))),
}

const opened = (text: string, path = 'data.json') => openSessionFile({ bytes: Buffer.from(text), path })

describe.each(Object.entries(shapes))('%s', (shape, written) => {
  it.each(Object.entries(bodies))('%s', (dialect, body) => {
    const file = opened(written(body))
    // Without a model these are examples for fine-tuning.
    const isExamples = shape === 'a body without a model on each line' && dialect === 'openai-chat'
    expect(file.format).toBe(isExamples ? 'fine-tuning' : 'plain')
    expect(file.conversations.map((one) => [one.dialect, one.history.length])).toEqual(three([dialect, 3]))
    expect(new Set(file.conversations.map(({ id }) => id)).size).toBe(3)
    const plan = planRepair(file)
    expect(plan.remaining.filter(({ kind, severity }) => kind === 'provider' && severity === 'error')).toEqual([])
    const after = openSessionFile({ bytes: plan.bytes }, { format: file.format })
    expect(after.conversations).toHaveLength(3)
    expect(plan.changes).toHaveLength(3)
  })
})

it.each([60, 100, 250, 330, 400, 600])(
  'a list of bodies that is cut after %i bytes is not repaired into one',
  (cut) => {
    const text = JSON.stringify(three(bodies['openai-chat'])).slice(0, cut)
    const whole = Math.floor(cut / JSON.stringify(bodies['openai-chat']).length)
    if (recognize({ bytes: Buffer.from(text) }).length === 0) return
    const plan = planRepair(opened(text))
    const { conversations } = openSessionFile({ bytes: plan.bytes }, { format: 'plain' })
    expect(conversations.length).toBeLessThanOrEqual(Math.max(1, whole))
    for (const { history } of conversations) expect(history.length).toBeLessThanOrEqual(5)
  },
)

it('some foreign examples do not make another format of examples for fine-tuning', () => {
  const { messages } = bodies['openai-chat'] as { messages: unknown }
  const foreign = { messages: bodies['anthropic-messages']!['messages'] }
  expect(opened(lines([{ messages }, { messages }, foreign])).format).toBe('fine-tuning')
  expect(opened(lines([{ messages: [ask, { role: 'assistant', content: 'a' }] }, foreign])).format).toBe('plain')
  expect(opened(lines([{ system: 'Be brief.', messages: [ask, { role: 'assistant', content: 'a' }] }])).format).toBe(
    'plain',
  )
})

it.each([
  '[[1,2],[3]]',
  '[{"input":[1,2],"output":3}]',
  '["a","b"]\n["c","d"]\n',
  '[{"messages":[]}]',
  '[{"a":1}]\n[]\n',
])('other lists are not understood: %s', (text) => expect(recognize({ bytes: Buffer.from(text) })).toEqual([]))

it('a large JSON list is not read line by line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'suture-data-sets-'))
  const path = join(folder, 'list.json')
  const body = JSON.stringify(bodies['openai-chat'])
  writeFileSync(path, `[\n${body},\n${body}\n]\n`)
  expect(dataSetFormat(path, LARGE)).toBeUndefined()
  writeFileSync(path, `[${body},${body}]\n`)
  expect(dataSetFormat(path, LARGE)).toBeUndefined()
  writeFileSync(path, lines(three(bodies['openai-chat'])))
  expect(dataSetFormat(path, LARGE)?.id).toBe('plain')
  rmSync(folder, { recursive: true, force: true })
})

describe('the request around a history', () => {
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '4 degrees' }] }
  const call = { role: 'tool', tool_call_id: 'c1', content: '4 degrees' }
  const verdictsOn = (text: string) => {
    const file = openSessionFile({ bytes: new TextEncoder().encode(text) })
    return [checkSessionFile(file).map(({ severity }) => severity), planRepair(file).changes.length]
  }

  it.each([
    ['a thread that continues', { thread: { type: 'continue', id: 't' }, messages: [result], max_tokens: 9 }, []],
    ['a key that is not known', { model: 'gpt-4o', dialogue_ref: 'd', messages: [call] }, ['warning']],
  ])('may hold earlier messages: %s', (_name, body, severities) => {
    expect(verdictsOn(JSON.stringify(body))).toEqual([severities, 0])
    const line = JSON.stringify({ custom_id: '1', body })
    expect(verdictsOn(`${line}\n${line}\n`)).toEqual([[...severities, ...severities], 0])
  })

  it('without such a key the result is an orphan', () => {
    expect(verdictsOn(JSON.stringify({ model: 'gpt-4o', messages: [call] }))).toEqual([['error'], 1])
  })
})
