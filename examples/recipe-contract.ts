/**
 * Testing an agent of your own against the contract: a strict provider in the process, with scripted answers. No key,
 * no model, no network.
 */
import OpenAI from 'openai'
import { contractFetch } from '../contract/index.ts'

const fetch = contractFetch({
  provider: 'openai',
  script: [{ calls: [{ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } }] }, { text: 'Sunny.' }],
})
const client = new OpenAI({ apiKey: 'none', fetch, maxRetries: 0 })
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Weather in Oslo?' }]
const ask = async () => (await client.chat.completions.create({ model: 'gpt-4.1', messages })).choices[0]!.message

messages.push(await ask())
await ask().catch((error: Error) => console.log('forgot the result:', error.message.slice(0, 80)))
messages.push({ role: 'tool', tool_call_id: 'call_1', content: 'sunny' })
console.log((await ask()).content, fetch.requests.length)
