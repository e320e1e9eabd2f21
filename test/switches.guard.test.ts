/**
 * A model switch in the middle of a conversation, through the guard and in session files: for every pair of wire
 * dialects the provider gets a request that it accepts, with the call, the result and the text of both.
 */
import { describe, expect, it } from 'vitest'
import { contractFetch, judge } from '../contract/index.ts'
import { guard } from '../src/guard/index.ts'
import { dialects } from '../src/index.ts'
import { openSessionFile, planRepair } from '../src/session-files/index.ts'
import { endpoints } from './dialect-table.ts'
import { fileFrom, fileOf, type Line } from './session-files/samples.ts'

interface Wire {
  readonly url: string
  readonly provider: string
  readonly rest?: object
  round(id: string, word: string): readonly Line[]
}

const input = (word: string) => ({ query: `${word} in the arguments` })
const output = (word: string) => `${word} in the result`
const userText = (word: string) => `${word} of the user`
const answer = (word: string) => `${word} of the model`

const wires: Readonly<Record<string, Wire>> = {
  'openai-chat': {
    url: 'https://api.openai.com/v1/chat/completions',
    provider: 'openai',
    rest: { model: 'gpt-4.1' },
    round: (id, word) => [
      { role: 'user', content: userText(word) },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'find', arguments: JSON.stringify(input(word)) } }],
      },
      { role: 'tool', tool_call_id: id, content: output(word) },
      { role: 'assistant', content: answer(word) },
    ],
  },
  'openai-responses': {
    url: 'https://api.openai.com/v1/responses',
    provider: 'openai-responses',
    rest: { model: 'gpt-4.1' },
    round: (id, word) => [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: userText(word) }] },
      { type: 'function_call', call_id: id, name: 'find', arguments: JSON.stringify(input(word)) },
      { type: 'function_call_output', call_id: id, output: output(word) },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer(word) }] },
    ],
  },
  'anthropic-messages': {
    url: 'https://api.anthropic.com/v1/messages',
    provider: 'anthropic',
    rest: { model: 'claude-sonnet-4-5', max_tokens: 100 },
    round: (id, word) => [
      { role: 'user', content: [{ type: 'text', text: userText(word) }] },
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'find', input: input(word) }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output(word) }] },
      { role: 'assistant', content: [{ type: 'text', text: answer(word) }] },
    ],
  },
  gemini: {
    url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent',
    provider: 'gemini',
    round: (id, word) => [
      { role: 'user', parts: [{ text: userText(word) }] },
      { role: 'model', parts: [{ functionCall: { id, name: 'find', args: input(word) } }] },
      { role: 'user', parts: [{ functionResponse: { id, name: 'find', response: { output: output(word) } } }] },
      { role: 'model', parts: [{ text: answer(word) }] },
    ],
  },
  'bedrock-converse': {
    url: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.nova-pro-v1%3A0/converse',
    provider: 'bedrock',
    rest: { toolConfig: { tools: [{ toolSpec: { name: 'find', inputSchema: { json: { type: 'object' } } } }] } },
    round: (id, word) => [
      { role: 'user', content: [{ text: userText(word) }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: id, name: 'find', input: input(word) } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: id, content: [{ text: output(word) }] } }] },
      { role: 'assistant', content: [{ text: answer(word) }] },
    ],
  },
}

const ids = Object.keys(wires)
const pairs = ids.flatMap((from) => ids.filter((to) => to !== from).map((to) => [from, to] as const))
const words = ['EARLIER', 'LATER'].flatMap((word) => [
  ...[input(word).query, output(word), userText(word), answer(word)],
])

/**
 * Formats that store what goes over the wire, and the dialects whose messages fit into their records. The others store
 * a form of their own.
 */
const FILES: readonly (readonly ['codex' | 'claude-code', string, readonly string[]])[] = [
  ['codex', 'openai-responses', ids],
  ['claude-code', 'anthropic-messages', ['bedrock-converse']],
]

/** A round in the earlier dialect, then one in the target's own. */
function switched(from: string, to: string): readonly Line[] {
  return [...wires[from]!.round('call_0001', 'EARLIER'), ...wires[to]!.round('call_0002', 'LATER')]
}

const prompt = (to: string) => wires[to]!.round('call_0003', 'NEXT')[0]!

function expectAll(text: string): void {
  expect(words.filter((word) => !text.includes(word))).toEqual([])
}

describe.each(pairs)('%s to %s', (from, to) => {
  const { url, provider, rest } = wires[to]!
  const { key } = dialects.find(({ id }) => id === to)!

  it('the guard sends a request that is accepted', async () => {
    const contract = contractFetch({ script: [{ text: 'Good.' }] })
    const body = { ...rest, [key]: [...switched(from, to), prompt(to)] }
    const response = await guard({ fetch: contract })(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const sent = new TextDecoder().decode(contract.requests.at(-1)!.bytes)
    expect(response.status, sent).toBe(200)
    expect(contract.requests.length).toBe(1)
    expectAll(sent)
  })

  it.each(FILES.filter(([, dialect, sources]) => dialect === to && sources.includes(from)))(
    'a %s file is repaired',
    (format) => {
      const bytes = fileOf(fileFrom(format, switched(from, to) as Line[]))
      const plan = planRepair(openSessionFile({ bytes }, { format }), { provider, lossy: true })
      const { history } = openSessionFile({ bytes: plan.bytes }, { format }).conversations[0]!
      const body = { ...rest, [key]: [...history, prompt(to)] }
      expect(judge({ provider, endpoint: endpoints[to]!, body }), JSON.stringify(history)).toEqual({ accepted: true })
      expectAll(JSON.stringify(history))
    },
  )
})
