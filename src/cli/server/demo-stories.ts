/** Two reported failures for `suture serve --demo`: a stored history, and the request that fails because of it. */

import type { Dialect } from '../../core/index.ts'
import { anthropicMessages } from '../../dialects/anthropic-messages/index.ts'
import { gemini } from '../../dialects/gemini/index.ts'
import type { DemoStory } from '../../viewer/demo-data.ts'

export interface Story extends Pick<DemoStory, 'title' | 'model'> {
  readonly provider: 'gemini' | 'anthropic'
  readonly dialect: Dialect
  /** Below the address of the provider or the gateway. */
  readonly path: string
  readonly body: { readonly [key: string]: unknown }
  readonly history: readonly unknown[]
}

const read = (id: string, path: string) => ({ functionCall: { id, name: 'read_file', args: { path } } })
const result = (id: string, output: string) => ({ functionResponse: { id, name: 'read_file', response: { output } } })
const results = () => ({
  role: 'user',
  parts: [result('read_file-1', 'export const a = 1'), result('read_file-2', 'export const b = 2')],
})

const doubled = [
  { role: 'user', parts: [{ text: 'Read a.ts and b.ts.' }] },
  { role: 'model', parts: [read('read_file-1', 'a.ts'), read('read_file-2', 'b.ts')] },
  results(),
  results(),
  { role: 'user', parts: [{ text: 'Now add them up.' }] },
]

const weather = { name: 'weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } }
const interrupted = [
  { role: 'user', content: 'What is the weather in Oslo?' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } }] },
  { role: 'user', content: 'Are you still there?' },
]

export const stories: readonly Story[] = [
  {
    title: 'Gemini CLI resumed a session and stored the tool results twice. Every prompt since then fails.',
    provider: 'gemini',
    dialect: gemini,
    model: 'gemini-2.5-pro',
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    body: { contents: doubled },
    history: doubled,
  },
  {
    title: 'Escape was pressed while a tool of Claude was running. The call has no result.',
    provider: 'anthropic',
    dialect: anthropicMessages,
    model: 'claude-opus-4-5',
    path: '/v1/messages',
    body: { model: 'claude-opus-4-5', max_tokens: 200, tools: [weather], messages: interrupted },
    history: interrupted,
  },
]
