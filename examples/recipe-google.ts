/**
 * Google GenAI through the gateway, on a history whose function call was never answered: its client takes a base URL,
 * but no `fetch`. Talks to the contract: no key, no model.
 */
import { GoogleGenAI } from '@google/genai'
import { startContract } from '../contract/index.ts'
import { gateway } from '../src/gateway/index.ts'

const contract = await startContract({ script: [{ text: 'Yes, I am.' }] })
const server = gateway({ upstreams: { gemini: { url: `${contract.url}/gemini`, provider: 'gemini' } } })
const listening = await server.listen({ port: 0 })

const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: `${listening.url}/gemini` } })
const { text } = await client.models.generateContent({
  model: 'gemini-2.5-flash',
  contents: [
    { role: 'user', parts: [{ text: 'What is the weather in Oslo?' }] },
    { role: 'model', parts: [{ functionCall: { name: 'weather', args: { city: 'Oslo' } } }] },
    { role: 'user', parts: [{ text: 'Are you still there?' }] },
  ],
})
console.log(text)
await listening.close()
await contract.close()
