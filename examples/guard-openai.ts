/**
 * The OpenAI SDK with a guard, on a history with an unanswered tool call. Uses the contract: no key, no model.
 */
import OpenAI from 'openai'
import { startContract } from '../contract/index.ts'
import { guard } from '../src/guard/index.ts'

const contract = await startContract({ script: [{ text: 'Back again. Shall I look up the weather now?' }] })
const client = new OpenAI({
  apiKey: 'none',
  baseURL: `${contract.url}/openai/v1`,
  // `provider` only because the address is not OpenAI's own.
  fetch: guard({ provider: 'openai', onEvent: (event) => console.log(event) }),
})

const { choices } = await client.chat.completions.create({
  model: 'gpt-4.1',
  messages: [
    { role: 'user', content: 'What is the weather in Oslo?' },
    {
      role: 'assistant',
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
    },
    { role: 'user', content: 'Are you still there?' },
  ],
})
console.log(choices[0]?.message.content)
await contract.close()
