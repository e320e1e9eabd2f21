/** Plain histories in the viewer: read and written by their format, with the request body around them. */
import { describe, expect, it } from 'vitest'
import { lint } from '../../src/index.ts'
import { historyDocument, readHistory } from '../../src/viewer/worker/history-file.ts'
import { Rows } from '../../src/viewer/worker/rows.ts'
import { openFile } from '../../src/viewer/worker/session-file.ts'
import { repairConversation, viewOf } from '../../src/viewer/worker/view.ts'
import { broken } from './samples.ts'

const { messages } = broken
const valid = [
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: 'hi' },
]
const line = (value: unknown) => JSON.stringify(value)
const lines = (values: readonly unknown[]) => values.map((value) => `${line(value)}\n`).join('')

function opened(text: string) {
  return historyDocument('x.json', readHistory('x.json', Buffer.from(text)))
}

/** The file after the repair of its conversations, as the page downloads it. */
function repaired(text: string): string {
  const document = opened(text)
  const conversations = document.conversations.map((conversation) => {
    const { target } = viewOf(document, { conversation: conversation.id, repaired: false, inProgress: false })
    const { next, body } = repairConversation(conversation, target)
    return { ...conversation, next, body }
  })
  return Buffer.from(document.write!(conversations)).toString()
}

const errorsIn = (value: object) =>
  lint(value, { provider: 'anthropic' }).filter(({ severity }) => severity === 'error')

const shapes: Readonly<Record<string, readonly [text: string, histories: (text: string) => readonly object[]]>> = {
  'a list': [line(messages), (text) => [JSON.parse(text)]],
  'a body': [JSON.stringify(broken, null, 2), (text) => [JSON.parse(text)]],
  'a list of bodies': [line([broken, { ...broken, messages: valid }]), (text) => JSON.parse(text)],
  'a message on each line': [
    lines(messages),
    (text) => [
      text
        .trim()
        .split('\n')
        .map((one) => JSON.parse(one)),
    ],
  ],
  'a body on each line': [
    lines([{ ...broken, messages: valid }, broken]),
    (text) =>
      text
        .trim()
        .split('\n')
        .map((one) => JSON.parse(one)),
  ],
}

describe.each(Object.entries(shapes))('%s', (_, [text, histories]) => {
  it('is written as it was if nothing changes', () => {
    const document = opened(text)
    expect(Buffer.from(document.write!(document.conversations)).toString()).toBe(text)
  })

  it('is valid after the repair, and keeps the other fields of the body', () => {
    const now = histories(repaired(text))
    expect(now.map(errorsIn)).toEqual(now.map(() => []))
    const around = (one: object) => ({ ...one, messages: undefined })
    if (!Array.isArray(now[0])) expect(now.map(around)).toEqual(histories(text).map(around))
  })
})

it('keeps the spelling of messages that the repair leaves', () => {
  const text = `[\n  {"role": "user",   "content": "n", "x": 1.0},\n${messages.map(line).join(',\n')}]`
  expect(repaired(text)).toContain('{"role": "user",   "content": "n"')
})

it.each([
  ['a body', (body: object) => line(body), (text: string) => JSON.parse(text)],
  ['a line of a data set', (body: object) => lines([body, broken]), (text: string) => JSON.parse(text.split('\n')[0]!)],
])('writes what the repair changes around the messages: %s', (_, write, read) => {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }
  const body = {
    model: 'claude-sonnet-4-5',
    max_tokens: 2048,
    thinking: { type: 'enabled', budget_tokens: 1024 },
    messages: [
      { role: 'system', content: 'Answer briefly.' },
      { role: 'user', content: 'why?' },
      { role: 'assistant', content: [call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'text' }] },
    ],
  }
  const now = read(repaired(write(body)))
  expect(now.system).toBe('Answer briefly.')
  expect(now.thinking).toEqual({ type: 'disabled' })
  expect(now.messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'user'])
  expect([now.model, now.max_tokens]).toEqual(['claude-sonnet-4-5', 2048])
})

it.each(['', '{"a":1}', '"text"', 'no JSON at all\nneither'])('is not a history: %s', (text) => {
  expect(() => opened(text)).toThrow('This file is not a history: expected')
})

it('says what it does not read', () => {
  expect(() => opened(line([{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }]))).toThrow('OpenTelemetry')
})

it('a history larger than the window is an error before and after the repair', () => {
  const text = 'Lorem ipsum dolor sit amet. '.repeat(120_000)
  const document = opened(line({ model: 'gpt-4o', messages: [{ role: 'user', content: text }] }))
  const view = viewOf(document, { conversation: 'main', repaired: false })
  expect(view.remaining.map(({ rule }) => rule)).toEqual(['larger-than-window'])
  expect(new Rows(view).overview().verdict).toBe('openai rejects it: 1 error')
})

it('records that were not read are named, and nothing is said to be accepted', async () => {
  const record = {
    parentUuid: null,
    uuid: 'a-1',
    sessionId: 's-1',
    type: 'user',
    message: { role: 'user', content: 'hi' },
  }
  const unknown = { uuid: 'a-2', parentUuid: 'a-1', sessionId: 's-1', type: 'exchange', spoken: 'it rains' }
  const document = await openFile('a.jsonl', Buffer.from(lines([record, unknown])))
  const view = viewOf(document, { conversation: 'main', repaired: false })
  const { verdict, notUnderstood } = new Rows(view).overview()
  expect([verdict, notUnderstood]).toEqual(['not understood', expect.stringContaining('"exchange"')])
})

it.each(['[]', '{"messages":[]}'])('is an empty history: %s', (text) => {
  expect(opened(text).conversations.map(({ next }) => next)).toEqual([[]])
})
