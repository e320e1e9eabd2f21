import { expect, test } from 'vitest'
import type { Dialect, Part } from '../src/core/index.ts'
import { anthropicMessages } from '../src/dialects/anthropic-messages/index.ts'
import { bedrockConverse } from '../src/dialects/bedrock-converse/index.ts'
import { gemini } from '../src/dialects/gemini/index.ts'
import { openaiChat } from '../src/dialects/openai-chat/index.ts'
import { openaiResponses } from '../src/dialects/openai-responses/index.ts'

const call = { callId: 'a', name: 'f', args: { x: 1 } }
const result = { callId: 'a', text: 'done' }

/** A call and a result with their fields under names of another SDK. */
const CASES: readonly [dialect: Dialect, call: unknown, result: unknown][] = [
  [bedrockConverse, { content: [{ tool_use: call }] }, { content: [{ tool_result: result }] }],
  [bedrockConverse, { content: [{ toolUse: call }] }, { content: [{ toolResult: result }] }],
  [
    gemini,
    { parts: [{ functionCall: { callId: 'a', name: 'f', input: { x: 1 } } }] },
    { parts: [{ functionResponse: { callId: 'a', name: 'f', text: 'done' } }] },
  ],
  [
    gemini,
    { parts: [{ function_call: { callId: 'a', name: 'f', input: { x: 1 } } }] },
    { parts: [{ function_response: { callId: 'a', name: 'f', text: 'done' } }] },
  ],
  [anthropicMessages, { content: [{ type: 'tool_use', ...call }] }, { content: [{ type: 'tool_result', ...result }] }],
  [openaiChat, { role: 'assistant', toolCalls: [call] }, { role: 'tool', ...result }],
  [openaiResponses, { type: 'function_call', ...call }, { type: 'function_call_output', ...result }],
]

function partOf(dialect: Dialect, message: unknown): Part {
  const parts: Part[] = []
  dialect.read(message, 0, parts)
  return parts.find(({ kind }) => kind === 'call' || kind === 'result')!
}

/** The part as it is read after a change was written to its native value. */
function changed(dialect: Dialect, message: unknown, part: Part, change: Parameters<Dialect['write']>[2]): Part {
  const value = dialect.write(part, part.value, change)
  const [list] = part.list
  const now = list === undefined ? value : { ...(message as object), [list]: [value] }
  return partOf(dialect, now)
}

test.each(CASES)('%#: a change is written where the dialect reads it', (dialect, ...messages) => {
  for (const message of messages) {
    const part = partOf(dialect, message)
    expect(part).toMatchObject({ id: 'a' })
    expect(changed(dialect, message, part, { id: 'b' })).toMatchObject({ id: 'b', kind: part.kind, body: part.body })
    expect(Object.keys(dialect.write(part, part.value, { id: 'b' }) as object)).not.toContain('alias')
  }
  const [called, answered] = messages.map((message) => partOf(dialect, message)) as [Part, Part]
  expect(changed(dialect, messages[0], called, { name: 'g' })).toMatchObject({ name: 'g', id: 'a' })
  expect(changed(dialect, messages[0], called, { arguments: '{"y":2}' })).toMatchObject({ body: '{"y":2}', id: 'a' })
  const written = changed(dialect, messages[1], answered, { result: 'new' })
  expect(dialect.content(written).text).toBe('new')
})

test.each(CASES)('%#: fields are read as if they had the names of the dialect', (dialect, ...messages) => {
  for (const message of messages) {
    const given = partOf(dialect, message)
    const wired = dialect.toWireShape!(message, [message])
    expect(wired).not.toBe(message)
    expect(dialect.toWireShape!(wired, [wired])).toBe(wired)
    const { type, id, name } = partOf(dialect, wired)
    expect(given).toMatchObject({ type, id })
    expect(given.name).toBe(name)
  }
})

test.each(CASES)('%#: a number is an id as well, and is moved', (dialect, ...messages) => {
  for (const message of messages) {
    const odd = JSON.parse(JSON.stringify(message).replace('"a"', '5'))
    const wired = dialect.toWireShape!(odd, [odd])
    expect(wired).not.toBe(odd)
    expect(JSON.stringify(wired)).not.toContain('callId')
    expect(JSON.stringify(wired)).toMatch(/"[\w]*[iI]d":"?5/)
  }
})
