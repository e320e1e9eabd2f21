/**
 * A Mastra agent with two calls of the same id, which Anthropic rejects: the processor keeps both. Talks to the
 * contract: no key, no model.
 */
import { createAnthropic } from '@ai-sdk/anthropic'
import { Agent } from '@mastra/core/agent'
import { startContract } from '../contract/index.ts'
import { repairProcessor } from '../src/integrations/mastra.ts'

const contract = await startContract({ script: [{ text: 'Sunny, then rain.' }] })
const agent = new Agent({
  id: 'weather',
  name: 'Weather',
  instructions: 'Be brief.',
  model: createAnthropic({ apiKey: 'none', baseURL: `${contract.url}/anthropic/v1` })('claude-sonnet-4-5'),
  inputProcessors: [repairProcessor({ onRepair: ({ findings }) => console.log('repaired', findings[0]?.rule) })],
})

const same = { toolCallId: 'toolu_1', toolName: 'weather' }
const pair = (value: string) => [
  { role: 'assistant' as const, content: [{ type: 'tool-call' as const, ...same, input: {} }] },
  {
    role: 'tool' as const,
    content: [{ type: 'tool-result' as const, ...same, output: { type: 'text' as const, value } }],
  },
]
const ask = (content: string) => ({ role: 'user' as const, content })
const { text } = await agent.generate([ask('Today?'), ...pair('sun'), ask('Tomorrow?'), ...pair('rain'), ask('So?')])
console.log(text)
await contract.close()
