/**
 * The Anthropic SDK with a guard: overloaded at first, then a stream that breaks off. Uses the contract: no key, no
 * model.
 */
import Anthropic from '@anthropic-ai/sdk'
import { startContract } from '../contract/index.ts'
import { guard } from '../src/guard/index.ts'

const contract = await startContract({
  script: [
    { fault: ['status=529', 'retry-after=0'] },
    { text: 'It is sunny.' },
    { text: 'This answer will not come to its end.', chunkBytes: 6, fault: 'cut-after-events=6' },
  ],
})
const client = new Anthropic({
  apiKey: 'none',
  baseURL: contract.url,
  maxRetries: 0,
  fetch: guard({
    provider: 'anthropic',
    onEvent: (event) => console.log(event.type),
    onReply: ({ complete, messages }) => console.log(complete ? 'whole:' : 'not whole:', JSON.stringify(messages)),
  }),
})
const body = { model: 'claude-opus-4-5', max_tokens: 100, messages: [{ role: 'user' as const, content: 'Weather?' }] }

const answer = await client.messages.create(body)
console.log(answer.content)
try {
  await client.messages.stream(body).finalText()
} catch (error) {
  // Never a false end: the client throws.
  console.log(String(error))
}
await contract.close()
