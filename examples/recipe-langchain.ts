/**
 * A LangChain agent whose thread lost a tool result: the middleware repairs the stored thread once. Talks to the
 * contract: no key, no model.
 */
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import { MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'
import { startContract } from '../contract/index.ts'
import { repairMiddleware } from '../src/integrations/langchain.ts'

const contract = await startContract({ script: [{ text: 'Yes, I am.' }, { text: 'Still here.' }] })
const agent = createAgent({
  model: new ChatOpenAI({
    apiKey: 'none',
    model: 'gpt-4.1',
    maxRetries: 0,
    configuration: { baseURL: `${contract.url}/openai/v1` },
  }),
  tools: [],
  checkpointer: new MemorySaver(),
  middleware: [repairMiddleware({ onRepair: ({ findings }) => console.log('repaired', findings[0]?.rule) })],
})

const thread = { configurable: { thread_id: '1' } }
const lost = new AIMessage({ content: '', tool_calls: [{ id: 'call_1', name: 'weather', args: { city: 'Oslo' } }] })
await agent.graph.updateState(thread, { messages: [new HumanMessage('What is the weather in Oslo?'), lost] })

for (const text of ['Are you still there?', 'And now?']) {
  const { messages } = await agent.invoke({ messages: [new HumanMessage(text)] }, thread)
  console.log(messages.at(-1)?.text)
}
await contract.close()
