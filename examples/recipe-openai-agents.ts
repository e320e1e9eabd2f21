/**
 * A session of the OpenAI Agents SDK that lasts in a store, after a crash between a call and its result. Talks to the
 * contract: no key, no model.
 */
import { Agent, OpenAIProvider, Runner } from '@openai/agents'
import { startContract } from '../contract/index.ts'
import { durableSession } from '../src/integrations/openai-agents.ts'
import { memoryStore } from '../src/session.ts'

const contract = await startContract({ script: [{ text: 'Yes, I am.' }] })
const runner = new Runner({
  modelProvider: new OpenAIProvider({ apiKey: 'none', baseURL: `${contract.url}/openai/v1` }),
  model: 'gpt-4.1',
  tracingDisabled: true,
})

const store = memoryStore() // or await openStore('sqlite:./chats.db')
const before = await durableSession(store, 'chat-1')
await before.addItems([
  { role: 'user', content: 'What is the weather in Oslo?' },
  { type: 'function_call', callId: 'call_1', name: 'weather', arguments: '{}', status: 'completed' },
])

const session = await durableSession(store, 'chat-1') // another process, later
const agent = new Agent({ name: 'Weather', instructions: 'Be brief.' })
const { finalOutput } = await runner.run(agent, 'Are you still there?', { session })
console.log(finalOutput, (await session.getItems()).map((item) => item.type ?? 'message').join(' '))
await contract.close()
