/**
 * LangChain with a guard, on a history with an unanswered tool call. Uses the contract: no key, no model.
 */
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { startContract } from '../contract/index.ts'
import { guard } from '../src/guard/index.ts'

const contract = await startContract({ script: [{ text: 'Yes, I am.' }] })
const model = new ChatOpenAI({
  apiKey: 'none',
  model: 'gpt-4.1',
  maxRetries: 0,
  configuration: {
    baseURL: `${contract.url}/openai/v1`,
    fetch: guard({ provider: 'openai', onEvent: (event) => console.log(event) }),
  },
})

const answer = await model.invoke([
  new HumanMessage('What is the weather in Oslo?'),
  new AIMessage({ content: '', tool_calls: [{ id: 'call_1', name: 'weather', args: { city: 'Oslo' } }] }),
  new HumanMessage('Are you still there?'),
])
console.log(answer.content)
await contract.close()
