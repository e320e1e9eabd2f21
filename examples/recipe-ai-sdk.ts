/**
 * AI SDK: UI messages that were saved in the middle of a call, and model messages that the SDK itself rejects. Talks to
 * the contract: no key, no model.
 */
import { createOpenAI } from '@ai-sdk/openai'
import { convertToModelMessages, generateText, type ModelMessage, type UIMessage } from 'ai'
import { contractFetch } from '../contract/index.ts'
import { prepareStep, repairUIMessages } from '../src/integrations/ai-sdk.ts'

const script = [{ text: 'Yes, from the stored chat.' }, { text: 'Yes, from the loop.' }]
const model = createOpenAI({ apiKey: 'none', fetch: contractFetch({ provider: 'openai', script }) }).chat('gpt-4.1')

const saved: UIMessage[] = [
  { id: '1', role: 'user', parts: [{ type: 'text', text: 'Weather?' }] },
  {
    id: '2',
    role: 'assistant',
    parts: [{ type: 'tool-weather', toolCallId: 'c1', state: 'input-available', input: {} }],
  },
  { id: '3', role: 'user', parts: [{ type: 'text', text: 'Are you still there?' }] },
]
const stored = repairUIMessages(saved) // store it: the next time nothing is left to do
console.log((await generateText({ model, messages: await convertToModelMessages(stored) })).text)
console.log(repairUIMessages(stored) === stored)

const open: ModelMessage[] = [
  { role: 'user', content: 'Weather?' },
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: {} }] },
  { role: 'user', content: 'Are you still there?' },
]
const error: Error = await generateText({ model, messages: open, maxRetries: 0 }).catch((reason) => reason)
console.log(error.name)
console.log((await generateText({ model, messages: open, prepareStep: prepareStep() })).text)
