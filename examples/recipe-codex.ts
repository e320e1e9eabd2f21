/**
 * Codex through the gateway: a request as it sends it, on a rollout that lost the output of a call.
 * Talks to the contract: no key, no model. The configuration of Codex itself is in docs/recipes/coding-agents.md.
 */
import { startContract } from '../contract/index.ts'
import { gateway } from '../src/gateway/index.ts'

const contract = await startContract({ script: [{ text: 'Yes, I am.' }] })
const server = gateway({ upstreams: { openai: { url: `${contract.url}/openai`, provider: 'openai' } } })
const listening = await server.listen({ port: 0 })

const message = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
const body = {
  model: 'gpt-5-codex',
  instructions: 'You are Codex.',
  stream: true,
  store: false,
  include: ['reasoning.encrypted_content'],
  tools: [{ type: 'function', name: 'shell', strict: false, parameters: { type: 'object', properties: {} } }],
  input: [
    message('Run the tests.'),
    { type: 'function_call', call_id: 'call_1', name: 'shell', arguments: '{"command":["npm","test"]}' },
    message('Are you still there?'),
  ],
}
const headers = { 'content-type': 'application/json', authorization: 'Bearer none', originator: 'codex_cli_rs' }
const send = async (base: string) =>
  fetch(`${base}/v1/responses`, { method: 'POST', headers, body: JSON.stringify(body) })

console.log('without the gateway:', (await send(`${contract.url}/openai`)).status)
const response = await send(`${listening.url}/openai`)
const [, text] = /"type":"response.output_text.done".*?"text":"([^"]*)"/.exec(await response.text()) ?? []
console.log('with it:', response.status, response.headers.get('suture-findings'), text)
await listening.close()
await contract.close()
