/**
 * Plain `fetch` with a guard: its events about a request, and how to switch it off for one request.
 */
import { startContract } from '../contract/index.ts'
import { guard } from '../src/guard/index.ts'

const contract = await startContract({ script: [{ text: 'Good.' }] })
const guarded = guard({ provider: 'anthropic' })
const url = `${contract.url}/v1/messages`
const messages = [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'sunny' }] }]
const body = JSON.stringify({ model: 'claude-opus-4-5', max_tokens: 100, messages })
const headers = { 'content-type': 'application/json' }

const rejected = await guarded(url, { method: 'POST', headers: { ...headers, suture: 'off' }, body })
console.log(rejected.status, await rejected.text())

const answered = await guarded(url, { method: 'POST', headers, body })
console.log(answered.status, answered.headers.get('suture-findings'))
await contract.close()
