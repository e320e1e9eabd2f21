/**
 * Claude Code through the gateway: a request as it sends it, on a history that an interrupted tool left without a
 * result. Talks to the contract: no key, no model. With Claude Code itself:
 * `ANTHROPIC_BASE_URL=http://127.0.0.1:28873/anthropic claude`.
 */
import { startContract } from '../contract/index.ts'
import { gateway } from '../src/gateway/index.ts'

const contract = await startContract({ script: [{ text: 'Yes, I am.' }] })
const server = gateway({ upstreams: { anthropic: { url: `${contract.url}/anthropic`, provider: 'anthropic' } } })
const listening = await server.listen({ port: 0 })

const interrupted = {
  type: 'tool_use',
  id: 'toolu_01AbCdEfGhIjKlMnOpQrStUv',
  name: 'Bash',
  input: { command: 'sleep 60' },
}
const body = {
  model: 'claude-sonnet-4-5',
  max_tokens: 1024,
  stream: true,
  system: [{ type: 'text', text: 'You are Claude Code.', cache_control: { type: 'ephemeral' } }],
  tools: [{ name: 'Bash', input_schema: { type: 'object', properties: { command: { type: 'string' } } } }],
  messages: [
    { role: 'user', content: 'Wait a minute.' },
    { role: 'assistant', content: [interrupted] },
    { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] },
    { role: 'user', content: 'Are you still there?' },
  ],
}
const headers = { 'content-type': 'application/json', 'x-api-key': 'none', 'anthropic-version': '2023-06-01' }
const send = async (base: string) =>
  fetch(`${base}/v1/messages?beta=true`, { method: 'POST', headers, body: JSON.stringify(body) })

console.log('without the gateway:', (await send(`${contract.url}/anthropic`)).status)
const response = await send(`${listening.url}/anthropic`)
const text = [...(await response.text()).matchAll(/"text":"([^"]+)"/g)].map(([, piece]) => piece).join('')
console.log('with it:', response.status, response.headers.get('suture-findings'), text)
await listening.close()
await contract.close()
